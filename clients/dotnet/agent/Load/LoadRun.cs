using System.Diagnostics;
using System.Text;

namespace Larder.Agent;

/// <summary>One load run: preload, warm-up, measurement, drain. Callers run on the thread pool, as in an application.</summary>
internal sealed class LoadRun(LoadSettings settings, LoadItems items, ILoadTarget target)
{
    /// <summary>The number of concurrent sets during the preload. It makes the preload fast and does not exceed any realistic concurrency limit.</summary>
    private const int PreloadCallers = 100;

    // The LoadSamples object of each thread. A new thread reuses the object of a thread that has ended. There are therefore at most as many objects as
    // concurrent threads, regardless of the duration of the run.
    private readonly List<(Thread Thread, LoadSamples Samples)> _threads = [];
    private volatile LoadPhase _phase;
    private long _ownBytes;

    /// <summary>Gets the settings of the request.</summary>
    public LoadSettings Settings { get; } = settings;

    /// <summary>Gets an object that identifies this run. Storing this object does not keep the run in memory.</summary>
    public object Identity { get; } = new();

    /// <summary>Gets the keys and values.</summary>
    public LoadItems Items { get; } = items;

    /// <summary>Gets the open-loop schedule, or null in a closed loop.</summary>
    public LoadArrivals? Arrivals { get; private set; }

    /// <summary>Gets the run's phase.</summary>
    public LoadPhase Phase => _phase;

    /// <summary>
    /// Returns a <see cref="LoadSamples"/> object for the current thread, which must not have one yet. Reuses the object of a thread that has ended. If no such
    /// object exists, creates one. The bytes allocated for the object are not counted as bytes of the client.
    /// </summary>
    public LoadSamples BeginThread()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        LoadSamples samples;
        lock (_threads)
        {
            int ended = _threads.FindIndex(each => !each.Thread.IsAlive);
            if (ended < 0)
            {
                samples = new LoadSamples(this);
                _threads.Add((Thread.CurrentThread, samples));
            }
            else
            {
                samples = _threads[ended].Samples;
                _threads[ended] = (Thread.CurrentThread, samples);
            }
        }

        Interlocked.Add(ref _ownBytes, GC.GetAllocatedBytesForCurrentThread() - before);
        return samples;
    }

    /// <summary>
    /// Runs the load. <paramref name="onSecond"/> is called with the counts so far when the measurement begins (second 0) and after each second of the
    /// measurement.
    /// </summary>
    /// <exception cref="AgentException">A key could not be preloaded.</exception>
    public async Task<LoadResult> RunAsync(Action<int, LoadSamples> onSecond)
    {
        Items.Trace?.Restart();
        if (Settings.Workload.Preload)
        {
            await PreloadAsync().ConfigureAwait(false);
        }

        using LoadWire? wire = Settings.Wire ? new LoadWire(() => _phase != LoadPhase.WarmingUp) : null;
        long started = Stopwatch.GetTimestamp();
        BeginArrivals(started);
        Task[] callers = StartCallers();
        await DelayUntilAsync(started, Settings.Warmup / 2).ConfigureAwait(false);
        Age();
        await DelayUntilAsync(started, Settings.Warmup).ConfigureAwait(false);
        using var lag = new LoadLag();
        (TimeSpan cpu, long bytes, long begun) = (Cpu(), ClientBytes(), Stopwatch.GetTimestamp());
        _phase = LoadPhase.Measuring;
        LoadSlices? slices = Settings.Slice is { } length ? new LoadSlices(length, AddHistograms) : null;
        Task slicing = slices?.RunAsync(begun, Settings.Measured) ?? Task.CompletedTask;
        await WaitWhileMeasuringAsync(begun, onSecond).ConfigureAwait(false);
        _phase = LoadPhase.Draining;
        TimeSpan measured = Stopwatch.GetElapsedTime(begun);
        (cpu, bytes) = (Cpu() - cpu, ClientBytes() - bytes);
        long unstarted = EndArrivals();
        await Task.WhenAll([.. callers, slicing]).ConfigureAwait(false);
        slices?.Cut(measured);
        LoadSamples samples = Snapshot();
        return new LoadResult(
            Settings,
            measured,
            samples,
            wire?.Sum(),
            unstarted,
            (double)bytes / Math.Max(1, samples.Requests),
            cpu.TotalSeconds,
            lag.QuantileUs(0.5),
            lag.QuantileUs(0.99),
            lag.QuantileUs(1),
            slices?.All);
    }

    /// <summary>
    /// Promotes the objects that exist when the load starts to the oldest GC generation, as in a process that has been running for a long time. Otherwise the
    /// first garbage collection during the measurement moves all callers. With some thousands of callers, this takes 20 to 40 ms, which would dominate the
    /// p99.9 of a load of a few seconds. Two collections are needed, because each collection promotes objects by one generation.
    /// </summary>
    private static void Age()
    {
        GC.Collect();
        GC.Collect();
    }

    private static TimeSpan Cpu() => Environment.CpuUsage.TotalTime;

    /// <summary>Returns the number of bytes that the process has allocated so far, except the bytes allocated for the counting itself.</summary>
    private long ClientBytes() => GC.GetTotalAllocatedBytes(precise: true) - Interlocked.Read(ref _ownBytes);

    private Task[] StartCallers()
    {
        var callers = new Task[Settings.Callers];
        for (int i = 0; i < callers.Length; i++)
        {
            var caller = new LoadCaller(this, i);
            callers[i] = Task.Run(() => target.RunAsync(caller));
        }

        return callers;
    }

    private async Task WaitWhileMeasuringAsync(long begun, Action<int, LoadSamples> onSecond)
    {
        for (int second = 0; second <= (int)Settings.Measured.TotalSeconds && Settings.Progress; second++)
        {
            await DelayUntilAsync(begun, TimeSpan.FromSeconds(second)).ConfigureAwait(false);
            long before = GC.GetAllocatedBytesForCurrentThread();
            onSecond(second, Snapshot());
            Interlocked.Add(ref _ownBytes, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        await DelayUntilAsync(begun, Settings.Measured).ConfigureAwait(false);
    }

    private static Task DelayUntilAsync(long begun, TimeSpan end)
    {
        TimeSpan left = end - Stopwatch.GetElapsedTime(begun);
        return left > TimeSpan.Zero ? Task.Delay(left) : Task.CompletedTask;
    }

    private LoadSamples Snapshot()
    {
        var sum = new LoadSamples(this);
        lock (_threads)
        {
            foreach ((Thread _, LoadSamples? samples) in _threads)
            {
                sum.Add(samples);
            }
        }

        return sum;
    }

    private void AddHistograms(LoadHistogram sum)
    {
        lock (_threads)
        {
            foreach ((Thread _, LoadSamples? samples) in _threads)
            {
                sum.Add(samples.Histogram);
            }
        }
    }

    private void BeginArrivals(long start)
    {
        if (Settings.OpenLoopRatePerSecond is { } rate)
        {
            long end = start + (long)((Settings.Warmup + Settings.Measured).TotalSeconds * Stopwatch.Frequency);
            Arrivals = new LoadArrivals(rate, Settings.UniformArrivals, Settings.Seed, start, end, Items.Trace);
        }
    }

    private long EndArrivals()
    {
        long unstarted = Arrivals?.DrainUnstarted(Stopwatch.GetTimestamp()) ?? 0;
        Arrivals?.Dispose();
        return unstarted;
    }

    private Task PreloadAsync()
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = PreloadCallers };
        return Parallel.ForEachAsync(Items.Preloaded, options, async (item, _) =>
        {
            string? error = await target.SetAsync(item.Key, item.Value, item.Ttl).ConfigureAwait(false);
            error = error is null ? null : await target.SetAsync(item.Key, item.Value, item.Ttl).ConfigureAwait(false);
            if (error is not null)
            {
                throw new AgentException($"cannot preload key {Encoding.UTF8.GetString(item.Key)}: {error}");
            }
        });
    }
}
