using FsCheck;
using FsCheck.Fluent;
using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Promise;

/// <summary>
/// Tests the guarantees with random walks. A walk is longer than any path that can be explored. During a walk, a client makes thirty calls, streams and
/// connections are lost, and leases end.
/// </summary>
public sealed class WalkTests
{
    // A walk takes about 250 moves.
    private const int Draws = 42;

    private static readonly int s_walks = Scenarios.IsLong ? 30_000 : 400;

    public static TheoryData<string> Names => [.. Scenarios.Walks.Select(static scenario => scenario.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void No_random_walk_violates_the_near_cache_guarantees(string name)
    {
        NearWorld world = new(Scenarios.Walks.Single(scenario => scenario.Name == name), Safeguard.None);
        Arbitrary<int[]> draws = Gen.Choose(0, int.MaxValue - 1).ArrayOf(Draws).ToArbitrary();
        Property property = Prop.ForAll(draws, walk => Assert.Null(Walker.Walk(world, walk)));
        property.Check(Config.QuickThrowOnFailure.WithMaxTest(s_walks));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Random_walks_detect_a_missing_safeguard(string name)
    {
        NearWorld world = new(Scenarios.Walks.Single(scenario => scenario.Name == name), Safeguard.PlainReadDrops);
        var random = new Random(1);

        bool isFound = Enumerable.Range(0, 2_000).Any(_ => Walker.Walk(world, [.. Enumerable.Range(0, Draws).Select(_ => random.Next())]) is not null);

        Assert.True(isFound);
    }
}
