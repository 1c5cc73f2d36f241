namespace Larder.Agent;

/// <summary>
/// The counts of one thread in one run. Each thread writes its own counts, so counting a call takes no lock and writes no shared cache line. There is one
/// object per concurrent thread and not per caller, because the histograms of 5,000 callers would take 1.3 GB.
/// </summary>
internal sealed class LoadSamples
{
    [ThreadStatic]
    private static LoadSamples? t_samples;

    // This is not a reference to the run. A thread can outlive the run, and a reference would keep the run and all its objects in memory.
    private readonly object _identity;

    /// <summary>Creates empty samples, for one thread or for a sum over threads.</summary>
    public LoadSamples(LoadRun run)
    {
        _identity = run.Identity;
        Service = run.Arrivals is null ? null : new LoadHistogram();
        Late = run.Arrivals is null ? null : new LoadHistogram();
    }

    /// <summary>Gets the latencies from the point of view of a user. In an open loop, they are measured from the due time.</summary>
    public LoadHistogram Histogram { get; } = new();

    /// <summary>Gets the latencies measured from the actual start of each call. Null in a closed loop.</summary>
    public LoadHistogram? Service { get; }

    /// <summary>
    /// Gets the load generator's own delays: the time between a call's due time and its start, for calls whose caller was already waiting at the due time. Null
    /// in a closed loop.
    /// </summary>
    public LoadHistogram? Late { get; }

    /// <summary>Gets the failed calls by error code.</summary>
    public Dictionary<string, long> Errors { get; } = [];

    /// <summary>Gets the number of calls that ended during the measurement.</summary>
    public long Requests { get; set; }

    /// <summary>Gets the number of calls that were in flight when the measurement ended.</summary>
    public long LateRequests { get; set; }

    /// <summary>Gets the number of calls that were gets.</summary>
    public long Reads { get; set; }

    /// <summary>Gets the number of gets that found a value.</summary>
    public long Hits { get; set; }

    /// <summary>Gets the number of gets that found no value.</summary>
    public long Misses { get; set; }

    /// <summary>Gets the number of failed calls.</summary>
    public long Failures { get; set; }

    /// <summary>Gets the number of hits that returned another key's value.</summary>
    public long Crossed { get; set; }

    /// <summary>Returns the samples of the current thread for a run.</summary>
    public static LoadSamples Of(LoadRun run) => t_samples is { } samples && samples._identity == run.Identity ? samples : t_samples = run.BeginThread();

    /// <summary>Adds the counts of another thread, which may still be counting.</summary>
    public void Add(LoadSamples other)
    {
        Histogram.Add(other.Histogram);
        if (other.Service is not null)
        {
            Service?.Add(other.Service);
        }

        if (other.Late is not null)
        {
            Late?.Add(other.Late);
        }

        Requests += other.Requests;
        LateRequests += other.LateRequests;
        Reads += other.Reads;
        Hits += other.Hits;
        Misses += other.Misses;
        Failures += other.Failures;
        Crossed += other.Crossed;
        lock (other.Errors)
        {
            foreach ((string? code, long count) in other.Errors)
            {
                Errors[code] = Errors.GetValueOrDefault(code) + count;
            }
        }
    }

    /// <summary>Counts a failed call.</summary>
    public void Fail(string code)
    {
        Failures++;
        lock (Errors)
        {
            Errors[code] = Errors.GetValueOrDefault(code) + 1;
        }
    }
}
