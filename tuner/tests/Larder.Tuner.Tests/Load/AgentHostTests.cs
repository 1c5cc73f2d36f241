using System.IO.Pipelines;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

public sealed class AgentHostTests
{
    [Fact]
    public async Task Agent_reports_ready_in_its_first_line()
    {
        List<JsonObject> lines = await AnswersAsync();
        Assert.Equal("""{"ready":{"agent":"memory","protocol":1}}""", Assert.Single(lines).ToJsonString());
    }

    [Theory]
    [InlineData("no json", "AgentError")]
    [InlineData("""{"op":"ping"}""", "AgentError")]
    [InlineData("""{"id":1}""", "AgentError")]
    [InlineData("""{"id":1,"op":"ping"}""", "AgentError")]
    public async Task Invalid_request_returns_error_and_agent_continues(string line, string code)
    {
        List<JsonObject> lines = await AnswersAsync(line, """{"id":2,"op":"open","endpoint":"x"}""");
        Assert.Contains(lines, answer => (string?)answer["error"]?["code"] == code);
        Assert.Contains(lines, answer => (int?)answer["id"] == 2 && (string?)answer["result"] == "success");
    }

    [Fact]
    public async Task Unknown_operation_returns_Unsupported()
    {
        List<JsonObject> lines = await AnswersAsync("""{"id":1,"op":"open"}""", """{"id":2,"op":"dance"}""");
        Assert.Equal("Unsupported", (string?)lines.Single(answer => (int?)answer["id"] == 2)["error"]!["code"]);
    }

    [Fact]
    public async Task Agent_rejects_second_open_request_until_client_is_closed()
    {
        List<JsonObject> lines = await AnswersAsync(
            """{"id":1,"op":"open"}""",
            """{"id":2,"op":"open"}""",
            """{"id":3,"op":"close"}""",
            """{"id":4,"op":"open"}""");
        Assert.Equal(
            ["success", "error", "success", "success"],
            lines.Skip(1).OrderBy(answer => (int)answer["id"]!).Select(answer => (string)answer["result"]!));
    }

    [Fact]
    public async Task Request_selects_its_client_by_name()
    {
        List<JsonObject> lines = await AnswersAsync(
            """{"id":1,"op":"open"}""",
            """{"id":2,"op":"open","named":"b"}""",
            """{"id":3,"op":"open","named":"b"}""",
            """{"id":4,"op":"close"}""",
            """{"id":5,"op":"stats"}""",
            """{"id":6,"op":"stats","named":"b"}""");
        Assert.Equal(
            ["success", "success", "error", "success", "error", "success"],
            lines.Skip(1).OrderBy(answer => (int)answer["id"]!).Select(answer => (string)answer["result"]!));
    }

    [Fact]
    public async Task Cancel_ends_active_request()
    {
        List<JsonObject> lines = await AnswersAsync("""{"id":1,"op":"open"}""", """{"id":2,"op":"wait"}""", """{"id":3,"op":"cancel","target":2}""");
        Assert.Equal("Cancelled", (string?)lines.Single(answer => (int?)answer["id"] == 2)["error"]!["code"]);
    }

    [Fact]
    public async Task Load_request_reports_progress_and_all_result_fields()
    {
        List<JsonObject> lines = await AnswersAsync(
            """{"id":1,"op":"open"}""", """{"id":2,"op":"load","callers":2,"seconds":0.2,"warmupSeconds":0,"sliceMs":100,"workload":{"keys":3}}""");
        Assert.Contains(lines, line => line["progress"] is not null && (int)line["id"]! == 2);
        JsonObject last = lines.Last(line => (int?)line["id"] == 2);
        foreach (
            string field in (string[])
                [
                    "result",
                    "callers",
                    "seconds",
                    "requests",
                    "lateRequests",
                    "reads",
                    "writes",
                    "hits",
                    "misses",
                    "errors",
                    "crossed",
                    "histogram",
                    "slices",
                    "unstarted",
                    "bytesAllocatedPerCall",
                    "clientCpuSeconds",
                    "residentBytes",
                    "connections",
                    "lagUs",
                ])
        {
            Assert.NotNull(last[field]);
        }

        Assert.Equal((long)last["requests"]! + (long)last["lateRequests"]!, (long)last["reads"]! + (long)last["writes"]!);
    }

    /// <summary>
    /// Returns all lines that an agent writes. Each request is sent after the response to the previous one. A wait has no response until it is cancelled, so
    /// the request after it is sent immediately.
    /// </summary>
    private static async Task<List<JsonObject>> AnswersAsync(params string[] requests)
    {
        Pipe input = new(),
            output = new();
        using var host = new AgentHost(
            "memory",
            _ => Task.FromResult<IAgentClient>(new MemoryClient()),
            new StreamReader(input.Reader.AsStream()),
            output.Writer.AsStream());
        Task running = host.RunAsync();
        using var answers = new StreamReader(output.Reader.AsStream());
        List<JsonObject> lines = [await ReadAsync(answers)];
        foreach (string request in requests)
        {
            await input.Writer.WriteAsync(System.Text.Encoding.UTF8.GetBytes(request + "\n"));
            if (request.Contains("\"wait\"", StringComparison.Ordinal))
            {
                continue;
            }

            do
            {
                lines.Add(await ReadAsync(answers));
            }
            while (lines[^1]["progress"] is not null);
        }

        if (requests.Any(request => request.Contains("\"wait\"", StringComparison.Ordinal)))
        {
            lines.Add(await ReadAsync(answers));
        }

        await input.Writer.CompleteAsync();
        await running;
        return lines;
    }

    private static async Task<JsonObject> ReadAsync(StreamReader answers) =>
        JsonNode.Parse(await answers.ReadLineAsync() ?? throw new InvalidOperationException("the agent ended"))!.AsObject();
}
