namespace Larder.Lab.Known;

/// <summary>
/// A server whose right answers can be computed: so many calls at once, a fixed time each, first come first served, and stalls in which it does nothing,
/// from each multiple of their period on. All times in seconds. Not for several threads.
/// </summary>
internal sealed class KnownSchedule(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
{
    private readonly double[] _freeAt = new double[parallelism];

    /// <summary>Calls a second that it can answer, stalls left out.</summary>
    public double Capacity => parallelism / service;

    /// <summary>For calls that arrive at these times, in order: when each is answered.</summary>
    public double Answer(double arrival)
    {
        int worker = Array.IndexOf(_freeAt, _freeAt.Min());
        return _freeAt[worker] = Work(Math.Max(arrival, _freeAt[worker]));
    }

    /// <summary>Forgets what it did.</summary>
    public void Reset() => Array.Clear(_freeAt);

    /// <summary>Calls a second with so many callers, each of whom waits for an answer before asking again; without stalls.</summary>
    public double ClosedLoopRate(int callers) => Math.Min(callers, parallelism) / service;

    /// <summary>How long such a call takes: callers beyond the parallelism wait for each other.</summary>
    public double ClosedLoopLatency(int callers) => service * Math.Max(1, (double)callers / parallelism);

    /// <summary>
    /// The quantile of what calls take that are due evenly at a share of the capacity, from when they were due. The wait after a stall falls from its length to
    /// 0, evenly, over stall / (1 − share) of each period; so the longest part 1 − q of all calls begins that much below the whole stall.
    /// </summary>
    public double OpenLoopLatency(double share, double quantile) => service + Math.Max(0, stallFor - ((1 - quantile) * (1 - share) * stallEvery));

    /// <summary>When a piece of work begun now is done.</summary>
    private double Work(double begin)
    {
        if (stallEvery == 0)
        {
            return begin + service;
        }

        double period = Math.Floor(begin / stallEvery) * stallEvery;
        double runnable = Math.Max(begin, period + stallFor);
        double next = period + stallEvery;
        return runnable + service <= next ? runnable + service : Work(next) - (next - runnable);
    }
}
