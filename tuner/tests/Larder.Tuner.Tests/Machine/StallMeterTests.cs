using System.Diagnostics;
using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Machine;

namespace Larder.Tuner.Tests.Machine;

public sealed class StallMeterTests
{
    [Fact]
    public async Task Meter_keeps_running_and_reports_its_CPU_time()
    {
        using var meter = new StallMeter();
        StallReading begun = meter.Read();
        StallReading now = begun;
        while (now.Late.Total < begun.Late.Total + 20)
        {
            await Task.Yield();
            now = meter.Read();
        }

        MachineStalls stalls = now.Since(begun);
        Assert.True(stalls.Seconds > 0);
        Assert.True(stalls.WorstUs >= stalls.P999Us);
        Assert.True(!OperatingSystem.IsLinux() || stalls.MeterCpuSeconds > 0);
    }

    [Fact]
    public async Task Between_returns_stalls_of_the_period_in_order()
    {
        using var meter = new StallMeter();
        long begun = Stopwatch.GetTimestamp();
        while (meter.Read().Late.Total < 20)
        {
            await Task.Yield();
        }

        long ended = Stopwatch.GetTimestamp();
        IReadOnlyList<StallPeriod> stalls = meter.Between(begun, ended);
        Assert.All(stalls, stall => Assert.InRange(stall.Seconds, 0.001, 3_600));
        Assert.All(stalls, stall => Assert.InRange(stall.ToSeconds, -0.1, Stopwatch.GetElapsedTime(begun, ended).TotalSeconds));
        Assert.Equal(stalls.OrderBy(stall => stall.ToSeconds), stalls);
        Assert.Empty(meter.Between(begun - Stopwatch.Frequency, begun - Stopwatch.Frequency));
    }

    [Fact]
    public void Since_counts_only_stalls_between_readings()
    {
        var late = new LoadHistogram();
        late.Record(50_000_000);
        StallReading earlier = new(10, Copy(late), 1, 0.5);
        for (int i = 0; i < 997; i++)
        {
            late.Record(60_000);
        }

        late.Record(2_000_000);
        late.Record(6_000_000);
        late.Record(30_000_000);
        MachineStalls stalls = new StallReading(20, late, 1.25, 0.52).Since(earlier);
        Assert.Equal((10, 2), (stalls.Seconds, stalls.Over5Ms));
        Assert.InRange(stalls.WorstUs, 30_000, 30_050);
        Assert.InRange(stalls.SecondsOver5Ms, 0.036, 0.0361);
        Assert.InRange(stalls.SecondsOver1Ms, 0.038, 0.0381);
        Assert.Equal((0.25, 0.02), (stalls.StolenSeconds, stalls.MeterCpuSeconds));
        Assert.StartsWith("machine stalls: 2 over 5 ms, worst 30.0 ms, the host withheld 0.25 s", stalls.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void ShareOfTail_divides_stalled_time_by_allowed_tail_time()
    {
        var stalls = new MachineStalls { Seconds = 10, Over5Ms = 1, WorstUs = 4_000, P999Us = 100, SecondsOver1Ms = 0.006, SecondsOver5Ms = 0.004 };
        Assert.Equal(0.4, stalls.ShareOfTail(0.999, 5_000), 6);
        Assert.Equal(0.6, stalls.ShareOfTail(0.999, 1_000), 6);
        Assert.Equal(0.04, stalls.ShareOfTail(0.99, 5_000), 6);
        Assert.Equal(1, (stalls with { SecondsOver5Ms = 5 }).ShareOfTail(0.999, 5_000));
        Assert.Equal(0, (stalls with { Seconds = 0 }).ShareOfTail(0.999, 5_000));
    }

    private static LoadHistogram Copy(LoadHistogram other)
    {
        var copy = new LoadHistogram();
        copy.Add(other);
        return copy;
    }
}
