using Larder.Lab.Soak;

namespace Larder.Lab.Tests.Soak;

public sealed class SoakVerdictTests
{
    private const long MiB = 1 << 20;
    private static readonly SoakCounts s_good = new() { Calls = 1000, Hits = 500, Writes = 500, Resets = 3 };

    [Fact]
    public void Soak_run_without_faults_passes() => Assert.True(SoakVerdict.Of(s_good, Flat(100)).Passed);

    [Fact]
    public void Any_lost_mixed_up_or_leaked_call_fails_the_run()
    {
        SoakCounts[] bad =
        [
            s_good with { Ended = false },
            s_good with { Calls = 0 },
            s_good with { Crossed = 1 },
            s_good with { InFlightAfter = 1 },
            s_good with { QueuedAfter = 1 },
            s_good with { Resets = 0 },
            s_good with { Errors = new Dictionary<string, long> { ["Timeout"] = 11 } },
        ];
        Assert.All(bad, counts => Assert.Single(SoakVerdict.Of(counts, Flat(100)).Checks, check => !check.Passed));
    }

    [Theory]
    [InlineData(100, 5 * MiB)]
    [InlineData(10, MiB / 10)]
    public void Steadily_growing_memory_fails_the_run(long mebibytes, long growth)
    {
        SoakSample[] growing = Enumerable.Range(0, 60).Select(i => Sample(i, (mebibytes * MiB) + (i * growth))).ToArray();
        Assert.Contains(SoakVerdict.Of(s_good, growing).Checks, check => !check.Passed && check.Text.Contains("managed", StringComparison.Ordinal));
    }

    [Fact]
    public void Heap_that_varies_between_garbage_collections_passes()
    {
        SoakSample[] swinging = Enumerable.Range(0, 60).Select(i => Sample(i, (40 + (i % 7 * 8)) * MiB)).ToArray();
        Assert.True(SoakVerdict.Of(s_good, swinging).Passed);
    }

    [Fact]
    public void Run_with_warm_up_and_single_memory_peak_passes()
    {
        SoakSample[] settled = Enumerable.Range(0, 60).Select(i => Sample(i, i < 10 ? i * 10 * MiB : i == 55 ? 900 * MiB : 100 * MiB)).ToArray();
        Assert.True(SoakVerdict.Of(s_good, settled).Passed);
    }

    [Fact]
    public void Too_few_memory_samples_fail_the_run() => Assert.False(SoakVerdict.Of(s_good, Flat(4)).Passed);

    private static SoakSample[] Flat(int count) => [.. Enumerable.Range(0, count).Select(i => Sample(i, 100 * MiB))];

    private static SoakSample Sample(int second, long bytes) => new(TimeSpan.FromSeconds(second), bytes, bytes, bytes, 1);
}
