using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Harness.Tests.Agents;

public sealed class AgentProcessTests
{
    private const string Ready = "echo '{\"ready\":{\"agent\":\"sh\",\"protocol\":1}}'; ";

    [Fact]
    public async Task Agent_replies_are_matched_to_requests_by_id()
    {
        await using AgentProcess agent = await StartAsync(
            Ready
                + "read a; read b; echo '{\"id\":2,\"result\":\"hit\"}'; echo '{\"id\":1,\"progress\":{\"done\":3}}'; "
                + "echo '{\"id\":9,\"result\":\"nobody asked\"}'; echo '{\"id\":null,\"result\":\"error\"}'; echo '{\"id\":1,\"result\":\"miss\"}'; cat >&2");
        List<string> progress = [];
        Task<JsonObject> first = agent.AskAsync(new JsonObject { ["op"] = "load" }, told => progress.Add(told.ToJsonString()));
        Task<JsonObject> second = agent.AskAsync(new JsonObject { ["op"] = "get" });
        Assert.Equal("hit", (string?)(await second)["result"]);
        Assert.Equal("miss", (string?)(await first)["result"]);
        Assert.Equal(["{\"done\":3}"], progress);
    }

    [Fact]
    public async Task RequireAsync_throws_when_agent_replies_with_error()
    {
        const string Error = """'"result":"error","error":{"code":"Timeout","message":"late"}}'""";
        await using AgentProcess agent = await StartAsync($"{Ready} for i in 1 2; do read a; echo '{{\"id\":'$i,{Error}; done");
        Assert.Equal("error", (string?)(await agent.AskAsync(new JsonObject { ["op"] = "get" }))["result"]);
        HarnessException failed = await Assert.ThrowsAsync<HarnessException>(() => agent.RequireAsync(new JsonObject { ["op"] = "set" }));
        Assert.Equal("the sh agent: set failed with Timeout: late", failed.Message);
    }

    [Theory]
    [InlineData("echo hello", "the first line of output must contain \"ready\" with \"protocol\": 1, but is hello")]
    [InlineData("echo '{\"ready\":{\"protocol\":2}}'", "the first line of output must contain \"ready\" with \"protocol\": 1, but is {\"ready\"")]
    [InlineData("exit 3", "the first line of output must contain \"ready\" with \"protocol\": 1, but is  (exit code 3)")]
    public async Task Start_rejects_program_that_does_not_speak_agent_protocol(string script, string why) =>
        Assert.Contains(why, (await Assert.ThrowsAsync<HarnessException>(() => StartAsync(script))).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("read a; echo broken >&2; exit 5", "the sh agent: the process exited before it responded (exit code 5)\n  broken")]
    [InlineData("read a; echo nonsense; exec sleep 60", "the sh agent: it wrote invalid JSON: nonsense (exit code 137)")]
    public async Task Requests_fail_when_agent_exits_or_writes_invalid_JSON(string script, string why)
    {
        await using AgentProcess agent = await StartAsync(Ready + script);
        Task<JsonObject> waiting = agent.AskAsync(new JsonObject { ["op"] = "get" });
        Assert.Equal(why, (await Assert.ThrowsAsync<HarnessException>(() => waiting)).Message);
        Assert.Equal(why, (await Assert.ThrowsAsync<HarnessException>(() => agent.AskAsync(new JsonObject { ["op"] = "get" }))).Message);
    }

    [Fact]
    public async Task Request_fails_when_agent_does_not_reply_in_time()
    {
        await using AgentProcess agent = await StartAsync(Ready + "cat >&2", TimeSpan.FromMilliseconds(100));
        HarnessException failed = await Assert.ThrowsAsync<HarnessException>(() => agent.AskAsync(new JsonObject { ["op"] = "get" }));
        Assert.StartsWith("the sh agent: no response within", failed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AgentCommand_rejects_unknown_client_name()
    {
        ProgramCommand python = AgentCommand.Of("python", "--peer", "redis");
        Assert.Equal(["-m", "agent", "--peer", "redis"], python.Arguments);
        Assert.Equal(Checkout.At("clients/python"), python.Folder);
        Assert.Contains(
            "use dotnet, python, node", Assert.Throws<HarnessException>(() => AgentCommand.Of("perl")).Message, StringComparison.Ordinal);
    }

    private static Task<AgentProcess> StartAsync(string script, TimeSpan? patience = null) =>
        AgentProcess.StartAsync(new ProgramCommand("sh", "sh", "-c", script), patience);
}
