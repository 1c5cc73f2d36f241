namespace Larder.Lab.Known;

/// <summary>
/// A model of a server for which the right answers can be computed: fixed parallelism, fixed service time, first come first served, and stalls that begin at
/// each multiple of their period. All times are in seconds. Not thread-safe.
/// </summary>
internal sealed class AnalyticSchedule(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
{
    private readonly double[] _freeAt = new double[parallelism];

    /// <summary>Gets the calls per second that it can answer, without stalls.</summary>
    public double Capacity => parallelism / service;

    /// <summary>Returns when a call is answered, given its arrival time. Arrivals must be in order.</summary>
    public double Answer(double arrival)
    {
        int worker = Array.IndexOf(_freeAt, _freeAt.Min());
        return _freeAt[worker] = Work(Math.Max(arrival, _freeAt[worker]));
    }

    public void Reset() => Array.Clear(_freeAt);

    /// <summary>Returns the calls per second with this many callers, each of which waits for an answer before its next call; without stalls.</summary>
    public double ClosedLoopRate(int callers) => Math.Min(callers, parallelism) / service;

    /// <summary>Returns the latency of such a call: callers beyond the parallelism wait for each other.</summary>
    public double ClosedLoopLatency(int callers) => service * Math.Max(1, (double)callers / parallelism);

    /// <summary>
    /// Returns the quantile of the latency of calls that are due evenly at a share of the capacity, from when they were due. After a stall, the wait falls
    /// linearly from its length to 0 over stall / (1 − share) of each period. The slowest share 1 − q of all calls therefore begins that much below the whole
    /// stall.
    /// </summary>
    public double OpenLoopLatency(double share, double quantile) => service + Math.Max(0, stallFor - ((1 - quantile) * (1 - share) * stallEvery));

    /// <summary>Returns when a call that starts now is done.</summary>
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
