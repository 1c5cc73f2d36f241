using System.Globalization;
using Larder.Agent;
using Larder.Tuner.Processes;
using Larder.Tuner.Workloads;

namespace Larder.Tuner.Tests.Workloads;

public sealed class TraceGeneratorTests
{
    private static readonly string[][] s_calls =
    [
        .. new TraceGenerator(TraceCommand.CommittedSeed).Lines(TraceCommand.CommittedCalls).Skip(1).Select(line => line.Split(',')),
    ];

    [Fact]
    public void Committed_trace_matches_generator()
    {
        string path = Path.Combine(Programs.Root, "tuner/workloads/production-trace.csv");
        Assert.Equal(new TraceGenerator(TraceCommand.CommittedSeed).Lines(TraceCommand.CommittedCalls), File.ReadAllLines(path));
        Assert.InRange(new FileInfo(path).Length, 1, 200_000);
    }

    [Fact]
    public void Generated_trace_can_be_parsed() =>
        Assert.Equal(s_calls.Length, LoadTrace.Parse(s_calls.Select(call => string.Join(',', call)), ttlMs: 600_000).Count);

    [Fact]
    public void Most_popular_key_has_its_Zipf_share()
    {
        // The expected share is 1 / H(4,000) = 1 / 8.87 of the gets that do not belong to scans.
        string[][] gets = s_calls.Where(call => call[1] == "get" && call[2][0] == 'k').ToArray();
        Assert.InRange(gets.Count(call => call[2] == "k0") / (double)gets.Length, 0.10, 0.126);
    }

    [Fact]
    public void Scanned_keys_are_never_requested_again()
    {
        string[][] scanned = s_calls.Where(call => call[1] == "get" && call[2][0] == 's').ToArray();
        Assert.InRange(scanned.Length, 120, 1200);
        Assert.Equal(scanned.Length, scanned.Select(call => call[2]).Distinct().Count());
    }

    [Fact]
    public void Busiest_second_has_several_times_the_median_number_of_calls()
    {
        int[] perSecond = s_calls.GroupBy(call => (int)double.Parse(call[0], CultureInfo.InvariantCulture)).Select(group => group.Count()).Order().ToArray();
        Assert.True(
            perSecond[^1] > 4 * perSecond[perSecond.Length / 2],
            $"the busiest second has {perSecond[^1]}, the median {perSecond[perSecond.Length / 2]}");
    }

    [Fact]
    public void Generated_set_calls_have_three_different_TTLs()
    {
        string[][] sets = s_calls.Where(call => call[1] == "set").ToArray();
        Assert.Equal(3, sets.Select(call => call[4]).Distinct().Count());
        Assert.InRange(sets.Length / (double)s_calls.Length, 0.1, 0.45);
    }
}
