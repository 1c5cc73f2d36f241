using Larder.Agent;

namespace Larder.Tuner.Tests.Search;

/// <summary>
/// The known server in virtual time under calls that arrive at random, in runs as short as a tuner's: each run sees other arrivals, so that a percentile near
/// its limit is above or below it by chance. Now and then a stall of the machine's. Times in seconds.
/// </summary>
internal sealed class ScheduledServer(int parallelism, double service, int seed, double stallEvery = 0, double stallFor = 0)
{
    private const double WarmUp = 1;
    private int _runs;

    /// <summary>Whether a stall met the last run.</summary>
    public bool WasStalled { get; private set; }

    /// <summary>Latencies of the calls due in a run, by tenths of its time.</summary>
    public IReadOnlyList<LoadHistogram> Run(double ratePerSecond, int cap, double seconds)
    {
        // Calls that all take as long end in the order in which they came: each takes the place of the one that came so many before it.
        double[] freeAt = new double[Math.Min(cap, parallelism)];
        LoadHistogram[] batches = [.. Enumerable.Range(0, 10).Select(_ => new LoadHistogram())];
        var random = new LoadRandom((seed * 1_000L) + ++_runs, 0);
        double stall = stallEvery == 0 ? double.PositiveInfinity : Gap(ref random, 1 / stallEvery);
        WasStalled = stall < WarmUp + seconds && stall + stallFor > WarmUp;
        int place = 0;
        for (double due = Gap(ref random, ratePerSecond); due < WarmUp + seconds; due += Gap(ref random, ratePerSecond))
        {
            // What comes in a stall arrives when it is over, all at once.
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

    /// <summary>All of a run.</summary>
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
