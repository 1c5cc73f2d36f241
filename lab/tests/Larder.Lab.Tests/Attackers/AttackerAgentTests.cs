using System.Text.Json.Nodes;
using Larder.Client;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Lab.Attackers;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Attackers;

/// <summary>Tests the attacker program and the tenant program against a server.</summary>
public sealed class AttackerAgentTests
{
    [Theory]
    [InlineData("near-renewals")]
    [InlineData("unfinished-bodies")]
    [InlineData("silent-connections", "connections")]
    [InlineData("leases")]
    [InlineData("tags")]
    [InlineData("near-streams")]
    [InlineData("near-clears")]
    [InlineData("topics")]
    [InlineData("audit-noise")]
    [InlineData("unread-leases")]
    public async Task Attack_reaches_server_until_the_attack_is_stopped(string name, string counted = "requests")
    {
        using TenantTokens tokens = new();
        await using Backend server = await StartAsync(tokens);
        await using AgentProcess attacker = await OpenAttackerAsync(server.Endpoint, tokens);
        await attacker.RequireAsync(new JsonObject { ["op"] = "attackPrepare", ["attack"] = name });
        // Waits until the attack has sent requests, because a busy machine may start it late.
        long done = 0;
        while (done == 0)
        {
            await attacker.RequireAsync(new JsonObject { ["op"] = "attackBegin", ["attack"] = name });
            await Task.Delay(50);
            done = (long)(await attacker.RequireAsync(new JsonObject { ["op"] = "attackEnd" }))[counted]!;
        }
    }

    [Fact]
    public async Task KeyUpdates_attack_reaches_TLS_server()
    {
        using CertificateFiles files = new();
        await using Backend server = await Backend.LarderAsync(files);
        await using AgentProcess attacker = await AgentProcess.StartAsync(LabAgents.OfNeighbour("attacker"));
        JsonObject opened = await attacker.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint, ["caFile"] = files.Certificate });
        if (AttackInfo.From(opened).Single(attack => attack.Name == "key-updates").Obstacle is not null)
        {
            return;
        }

        long updates = 0;
        while (updates == 0)
        {
            await attacker.RequireAsync(new JsonObject { ["op"] = "attackBegin", ["attack"] = "key-updates" });
            await Task.Delay(50);
            updates = (long)(await attacker.RequireAsync(new JsonObject { ["op"] = "attackEnd" }))["requests"]!;
        }
    }

    [Fact]
    public async Task Tenant_checks_pass_without_attack()
    {
        using TenantTokens tokens = new();
        await using Backend server = await StartAsync(tokens);
        await using AgentProcess tenant = await AgentProcess.StartAsync(LabAgents.OfNeighbour("tenant"));
        JsonObject open = new() { ["op"] = "open", ["endpoint"] = server.Endpoint, ["token"] = tokens["tenant"], ["operator"] = tokens["operator"] };
        open["console"] = server.ConsoleAuthority;
        open["reader"] = tokens["tenant-reader"];
        await tenant.RequireAsync(open);
        await tenant.RequireAsync(new JsonObject { ["op"] = "checkBegin" });
        await Task.Delay(100);
        JsonObject said = await tenant.RequireAsync(new JsonObject { ["op"] = "checkEnd" });
        Assert.Empty(said["failures"]!.AsObject());
        Assert.InRange((long)said["checks"]!, 10, long.MaxValue);
    }

    [Fact]
    public async Task Tenant_checks_fail_when_server_has_stopped()
    {
        using TenantTokens tokens = new();
        Backend server = await StartAsync(tokens);
        await using AgentProcess tenant = await AgentProcess.StartAsync(LabAgents.OfNeighbour("tenant"));
        JsonObject open = new() { ["op"] = "open", ["endpoint"] = server.Endpoint, ["token"] = tokens["tenant"], ["operator"] = tokens["operator"] };
        open["console"] = server.ConsoleAuthority;
        open["reader"] = tokens["tenant-reader"];
        await tenant.RequireAsync(open);
        await server.DisposeAsync();
        await tenant.RequireAsync(new JsonObject { ["op"] = "checkBegin" });
        JsonObject failures = (await tenant.RequireAsync(new JsonObject { ["op"] = "checkEnd" }))["failures"]!.AsObject();
        Assert.Contains(failures, failure => failure.Key.StartsWith("audit log", StringComparison.Ordinal));
    }

    [Fact]
    public async Task List_option_prints_every_attack_and_runs_none()
    {
        using ChildProcess tuner = LabProgram.Start("attackers", "--list");
        string listed = await tuner.Output.ReadToEndAsync();
        Assert.Equal(0, await tuner.WaitForExitAsync());
        Assert.Equal(20, listed.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains("union-store", listed, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_runs_within_memory_limit_of_its_cgroup()
    {
        using MemoryGroup group = new();
        await using ServerProcess server = await ServerProcess.StartAsync(Programs.Larder() with { Memory = "64m", Runner = group.Runner });
        Assert.InRange(MemoryGroup.PeakOf(server.Id) ?? 1, 1, MemoryGroup.LimitBytes);
        string groups = await File.ReadAllTextAsync($"/proc/{server.Id}/cgroup");
        Assert.Equal(group.Obstacle is null, groups.Contains("larder-attackers-", StringComparison.Ordinal));
    }

    private static async Task<Backend> StartAsync(TenantTokens tokens)
    {
        Backend server = await Backend.LarderAsync("--tokens", tokens.File, "--token-key", tokens.KeyFile);
        var at = new Uri($"http://{server.Endpoint}");
        CredentialProvider credentials = CredentialProvider.FromEndpoint(at.Host, at.Port, tokens["operator"]);
        await using CacheClient client = new(Configurations.Laptop.Latest(), credentials, TimeSpan.FromMinutes(1));
        Assert.False((await client.CreateCacheAsync("attacked")).IsError);
        return server;
    }

    private static async Task<AgentProcess> OpenAttackerAsync(string endpoint, TenantTokens tokens)
    {
        AgentProcess attacker = await AgentProcess.StartAsync(LabAgents.OfNeighbour("attacker"));
        JsonObject open = new() { ["op"] = "open", ["endpoint"] = endpoint, ["token"] = tokens["attacker"], ["reader"] = tokens["attacker-reader"] };
        await attacker.RequireAsync(open);
        return attacker;
    }
}
