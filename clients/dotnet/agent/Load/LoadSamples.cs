namespace Larder.Agent;

/// <summary>
/// What one thread has counted in one run. Each thread writes its own, so counting a call takes no lock and no shared cache
/// line; their number is that of the threads at a time, not of the callers (5,000 histograms would be 1.3 GB).
/// </summary>
internal sealed class LoadSamples
{
    [ThreadStatic]
    private static LoadSamples? t_samples;

    // Not the run: a thread outlives many, and would keep each with all that it holds.
    private readonly object _identity;

    /// <summary>Samples without a count, for a thread or for a sum over threads.</summary>
    public LoadSamples(LoadRun run)
    {
        _identity = run.Identity;
        Service = run.Arrivals is null ? null : new LoadHistogram();
        Late = run.Arrivals is null ? null : new LoadHistogram();
    }

    /// <summary>Latency as a user feels it.</summary>
    public LoadHistogram Histogram { get; } = new();

    /// <summary>Latency from when the call was really made; open loop only.</summary>
    public LoadHistogram? Service { get; }

    /// <summary>From when a call was due for which a caller was free to when it was made: the generator's own lateness; open loop only.</summary>
    public LoadHistogram? Late { get; }

    /// <summary>Failed calls by error code.</summary>
    public Dictionary<string, long> Errors { get; } = [];

    /// <summary>Calls that ended within the measured time.</summary>
    public long Requests { get; set; }

    /// <summary>Calls that were in flight when it was up.</summary>
    public long LateRequests { get; set; }

    /// <summary>Gets among all of them.</summary>
    public long Reads { get; set; }

    /// <summary>Gets that found a value.</summary>
    public long Hits { get; set; }

    /// <summary>Gets that found none.</summary>
    public long Misses { get; set; }

    /// <summary>Failed calls.</summary>
    public long Failures { get; set; }

    /// <summary>Hits with another key's value.</summary>
    public long Crossed { get; set; }

    /// <summary>The samples of the thread that runs now.</summary>
    public static LoadSamples Of(LoadRun run) => t_samples is { } samples && samples._identity == run.Identity ? samples : t_samples = run.BeginThread();

    /// <summary>Adds another thread's counts, which may still be growing.</summary>
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
