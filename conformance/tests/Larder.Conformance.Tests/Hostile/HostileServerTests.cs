using Larder.Conformance.Hostile;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance.Tests.Hostile;

/// <summary>Tests the clients with every hostile mode. All agents run in parallel. Each test case reports only its own faults.</summary>
public sealed class HostileServerTests
{
    public static TheoryData<string, string> Clients => new()
    {
        { "dotnet", "pipeline" }, { "dotnet", "unary" }, { "python", "pipeline" }, { "python", "unary" }, { "node", "pipeline" }, { "node", "unary" },
    };

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task N12_Every_call_to_hostile_server_ends_by_its_deadline(string client, string transport)
    {
        ProgramCommand? command = AgentCommand.Built().SingleOrDefault(agent => agent.Name == client);
        Assert.True(command is not null, $"the agent of the {client} client is not built");
        // Splits the modes into four groups, which run in parallel with separate agents. This is faster, because a mode mostly waits for deadlines.
        IEnumerable<Task<IReadOnlyList<string>>> quarters = HostileModes.All
            .Chunk((HostileModes.All.Count + 3) / 4)
            .Select(quarter => new HostileRun(command, transport).BrokenAsync(quarter));
        var broken = (await Task.WhenAll(quarters)).SelectMany(found => found).ToList();
        Assert.True(broken.Count == 0, string.Join(Environment.NewLine, broken));
    }
}
