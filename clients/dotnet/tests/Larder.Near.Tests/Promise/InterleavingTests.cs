using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Promise;

/// <summary>
/// Tests the guarantees of protocol/spec/near-cache.md. Explores every order of the calls of two clients, the server's steps and the network's deliveries.
/// </summary>
public sealed class InterleavingTests
{
    public static TheoryData<string> Names => [.. Scenarios.All.Select(static scenario => scenario.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void No_interleaving_violates_the_near_cache_guarantees(string name)
    {
        Scenario scenario = Scenarios.All.Single(scenario => scenario.Name == name);

        Exploration found = scenario.Explore();

        Assert.True(found.Violation is null, $"{found.Violation}:\n{string.Join('\n', found.Way)}");
        Assert.True(found.IsComplete, $"{found.States} states were not all");
    }

    [Fact]
    public void Explorer_finds_violations_in_scenarios_without_guarantees()
    {
        foreach ((Scenario scenario, string where) in Scenarios.NotPromised)
        {
            Exploration found = scenario.Explore();

            Assert.True(found.Violation is not null, $"{where}: {found.States} states, and none breaks the promise");
        }
    }
}
