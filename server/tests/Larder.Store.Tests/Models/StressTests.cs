using Larder.Store.Bench;

namespace Larder.Store.Tests;

public sealed class StressTests
{
    [Theory]
    // In two of three rounds, entries are evicted and flushed. In the third round, entries are lost only when they expire.
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
