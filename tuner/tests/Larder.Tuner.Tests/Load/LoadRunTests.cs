using System.Runtime.CompilerServices;
using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

public sealed class LoadRunTests
{
    private static readonly LoadWorkload s_small = LoadWorkload.Reference with { Keys = 4 };

    [Fact]
    public async Task Every_call_appears_in_counts_and_histogram()
    {
        LoadResult result = await RunAsync(Settings(callers: 5), new MemoryClient());
        LoadSamples samples = result.Samples;
        Assert.True(samples.Requests > 0);
        Assert.Equal(samples.Requests + samples.LateRequests, samples.Histogram.Total);
        Assert.Equal(samples.Reads, samples.Hits + samples.Misses);
        Assert.InRange(samples.LateRequests, 0, 5);
        Assert.Equal((0, 0, 0), (samples.Misses, samples.Failures, samples.Crossed));
        Assert.Null(samples.Service);
    }

    [Fact]
    public async Task Failed_calls_are_counted_by_code_and_in_histogram()
    {
        LoadSamples samples = (await RunAsync(Settings(callers: 3), new MemoryClient { SetsFailWith = "Timeout" })).Samples;
        Assert.Equal(samples.Histogram.Total - samples.Reads, samples.Errors["Timeout"]);
        Assert.Equal(samples.Failures, samples.Errors["Timeout"]);
        Assert.True(samples.Failures > 0);
    }

    [Fact]
    public async Task Load_run_counts_responses_with_value_of_another_key()
    {
        LoadSettings settings = Settings(callers: 2) with { Verify = true };
        Assert.True((await RunAsync(settings, new MemoryClient { CrossedKey = "larder-000000002" })).Samples.Crossed > 0);
        Assert.Equal(0, (await RunAsync(settings, new MemoryClient())).Samples.Crossed);
    }

    [Fact]
    public async Task Reads_of_missing_keys_are_counted_as_misses()
    {
        LoadWorkload workload = s_small with { MissRatio = 1, ReadRatio = 1 };
        LoadSamples samples = (await RunAsync(Settings(callers: 2) with { Workload = workload }, new MemoryClient())).Samples;
        Assert.True(samples.Misses > 0);
        Assert.Equal(0, samples.Hits);
    }

    [Fact]
    public async Task Open_loop_makes_only_scheduled_calls()
    {
        LoadSettings settings = Settings(callers: 4) with { OpenLoopRatePerSecond = 1000, UniformArrivals = true };
        LoadResult result = await RunAsync(settings, new MemoryClient());
        double scheduled = 1000 * (settings.Warmup + settings.Measured).TotalSeconds;
        Assert.InRange(result.Samples.Histogram.Total, 1, scheduled);
        Assert.Equal(result.Samples.Histogram.Total, result.Samples.Service!.Total);
        Assert.True(result.Samples.Service.SumNs <= result.Samples.Histogram.SumNs);
    }

    [Fact]
    public async Task Slices_add_up_to_histogram()
    {
        LoadResult result = await RunAsync(Settings(callers: 3) with { Slice = TimeSpan.FromMilliseconds(50) }, new MemoryClient());
        IReadOnlyList<LoadSlice> slices = result.Slices!;
        Assert.True(slices.Count >= 2, $"{slices.Count} slices");
        Assert.Equal(result.Samples.Histogram.Total, slices.Sum(slice => slice.Cells.Sum(cell => cell.Count)));
        Assert.Equal(slices.Select(slice => slice.End).Order(), slices.Select(slice => slice.End));
        Assert.Null((await RunAsync(Settings(callers: 3), new MemoryClient())).Slices);
    }

    [Fact]
    public async Task Run_with_many_more_callers_than_threads_counts_every_call()
    {
        LoadSamples samples = (await RunAsync(Settings(callers: 2000), new MemoryClient())).Samples;
        Assert.Equal(samples.Requests + samples.LateRequests, samples.Histogram.Total);
    }

    [Fact]
    public void New_thread_reuses_samples_of_ended_thread()
    {
        LoadSettings settings = Settings(callers: 1);
        var run = new LoadRun(settings, new LoadItems(settings.Workload), new MemoryClient());
        var own = LoadSamples.Of(run);
        HashSet<LoadSamples> seen = [];
        for (int i = 0; i < 20; i++)
        {
            var thread = new Thread(() => seen.Add(LoadSamples.Of(run)));
            thread.Start();
            thread.Join();
        }

        Assert.Same(own, LoadSamples.Of(run));
        Assert.NotSame(own, Assert.Single(seen));
    }

    [Fact]
    public async Task Callers_are_in_oldest_GC_generation_before_measurement()
    {
        var client = new MemoryClient();
        await RunAsync(Settings(callers: 2), client);
        Assert.Equal(GC.MaxGeneration, GC.GetGeneration(client.LastCaller!));
    }

    [Fact]
    public void Thread_keeps_no_reference_to_ended_run()
    {
        WeakReference run = Ended();
        GC.Collect();
        Assert.False(run.IsAlive);
    }

    /// <summary>Returns a weak reference to a run for which this thread has counted samples.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Ended()
    {
        LoadSettings settings = Settings(callers: 1);
        var run = new LoadRun(settings, new LoadItems(settings.Workload), new MemoryClient());
        _ = LoadSamples.Of(run);
        return new WeakReference(run);
    }

    private static LoadSettings Settings(int callers) => new()
    {
        Callers = callers,
        Measured = TimeSpan.FromMilliseconds(200),
        Warmup = TimeSpan.FromMilliseconds(20),
        Workload = s_small,
    };

    private static Task<LoadResult> RunAsync(LoadSettings settings, MemoryClient client) =>
        new LoadRun(settings, new LoadItems(settings.Workload), client).RunAsync((_, _) => { });
}
