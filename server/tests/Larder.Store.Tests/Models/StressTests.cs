using Larder.Store.Bench;

namespace Larder.Store.Tests;

public sealed class StressTests
{
    [Theory]
    // Of each three rounds, the first two evict and flush; in the third, entries are only lost when they expire.
    [InlineData(0, 11)]
    [InlineData(1, 12)]
    [InlineData(2, 13)]
    public void Mixed_concurrent_load_causes_no_failures(int round, int seed)
    {
        var failures = new StressFailures();
        using var one = new StressRound(StressPlan.Draw(seed, round), failures);
        Assert.True(one.Run(TimeSpan.FromSeconds(1)) > 0);
        Assert.Equal(0, failures.Count);
    }
}
