using FsCheck;
using FsCheck.Fluent;
using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Promise;

/// <summary>Random walks, longer than what can be explored: twelve calls of each client, streams and connections that are lost, leases that end.</summary>
public sealed class WalkTests
{
    private const int Steps = 150;

    private static readonly int s_walks = Environment.GetEnvironmentVariable("LARDER_LONG") == "1" ? 5_000 : 150;

    [Fact]
    public void No_walk_of_a_servers_clients_breaks_the_promise() => Check(Scenarios.Walk);

    [Fact]
    public void No_walk_in_a_fleet_breaks_the_promise() => Check(Scenarios.FleetWalk);

    [Fact]
    public void Walks_find_that_a_safeguard_is_missing()
    {
        NearWorld world = new(Scenarios.Walk, Safeguard.PlainReadDrops);
        var random = new Random(1);

        bool isFound = Enumerable.Range(0, 2_000).Any(_ => Walk(world, Enumerable.Range(0, Steps).Select(_ => random.Next())) is not null);

        Assert.True(isFound);
    }

    private static void Check(Scenario scenario)
    {
        NearWorld world = new(scenario, Safeguard.None);
        Arbitrary<int[]> choices = Gen.Choose(0, 1_000_000).ArrayOf(Steps).ToArbitrary();
        Property property = Prop.ForAll(choices, walk => Assert.Null(Walk(world, walk)));
        property.Check(Config.QuickThrowOnFailure.WithMaxTest(s_walks));
    }

    // What a walk breaks, and how; null: nothing. A choice is of the moves that are possible then.
    private static string? Walk(NearWorld world, IEnumerable<int> choices)
    {
        Moves<World> moves = new() { IsTold = true };
        List<string> way = [];
        World state = world.Start;
        foreach (int choice in choices)
        {
            moves.Clear();
            world.AddMoves(state, moves);
            if (moves.BrokenBy >= 0)
            {
                way.Add(moves.TextOf(moves.BrokenBy));
                return $"{moves.Broken}:\n{string.Join('\n', way)}";
            }

            if (moves.Count == 0)
            {
                return null;
            }

            int move = choice % moves.Count;
            way.Add(moves.TextOf(move));
            state = moves.States[move];
        }

        return null;
    }
}
