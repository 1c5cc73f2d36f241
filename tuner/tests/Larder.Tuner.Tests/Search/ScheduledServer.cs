using Larder.Agent;

namespace Larder.Tuner.Tests.Search;

/// <summary>
/// Simulates the analytic server in virtual time, with random arrivals and with runs that are as short as those of a tuner. Each run has different arrivals, so
/// a percentile near its limit is above or below the limit by chance. Optionally, the machine stalls. Times are in seconds.
/// </summary>
internal sealed class ScheduledServer(int parallelism, double service, int seed, double stallEvery = 0, double stallFor = 0)
{
    private const double WarmUp = 1;
    private int _runs;

    /// <summary>Gets whether a stall occurred during the last run.</summary>
    public bool WasStalled { get; private set; }

    /// <summary>Returns the latencies of the calls due in a run, split into ten batches by time.</summary>
    public IReadOnlyList<LoadHistogram> Run(double ratePerSecond, int cap, double seconds)
    {
        // Calls of equal duration complete in order of arrival, so the slots become free in rotation.
        double[] freeAt = new double[Math.Min(cap, parallelism)];
        LoadHistogram[] batches = [.. Enumerable.Range(0, 10).Select(_ => new LoadHistogram())];
        var random = new LoadRandom((seed * 1_000L) + ++_runs, 0);
        double stall = stallEvery == 0 ? double.PositiveInfinity : Gap(ref random, 1 / stallEvery);
        WasStalled = stall < WarmUp + seconds && stall + stallFor > WarmUp;
        int place = 0;
        for (double due = Gap(ref random, ratePerSecond); due < WarmUp + seconds; due += Gap(ref random, ratePerSecond))
        {
            // All calls that are due during a stall arrive at its end.
            double arrived = due >= stall && due < stall + stallFor ? stall + stallFor : due;
            double answered = freeAt[place] = Math.Max(arrived, freeAt[place]) + service;
            place = (place + 1) % freeAt.Length;
            if (due >= WarmUp)
            {
                batches[(int)((due - WarmUp) / seconds * batches.Length)].Record((long)((answered - due) * 1e9));
            }
        }

        return batches;
    }

    /// <summary>Returns one histogram that contains the calls of all batches of a run.</summary>
    public static LoadHistogram Sum(IEnumerable<LoadHistogram> batches)
    {
        var sum = new LoadHistogram();
        foreach (LoadHistogram batch in batches)
        {
            sum.Add(batch);
        }

        return sum;
    }

    private static double Gap(ref LoadRandom random, double rate) => -Math.Log(1 - random.Unit()) / rate;
}
