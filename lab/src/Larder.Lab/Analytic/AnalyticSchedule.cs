namespace Larder.Lab.Known;

/// <summary>
/// A model of a server for which the correct results can be computed. The server has a fixed parallelism and a fixed service time, serves calls in order of
/// arrival, and stalls at each multiple of a period. All times are in seconds. Not thread-safe.
/// </summary>
internal sealed class AnalyticSchedule(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
{
    private readonly double[] _freeAt = new double[parallelism];

    /// <summary>Gets the maximum calls per second of the server without stalls.</summary>
    public double Capacity => parallelism / service;

    /// <summary>Returns the time at which a call is complete, given its arrival time. Arrivals must be in order.</summary>
    public double Answer(double arrival)
    {
        int worker = Array.IndexOf(_freeAt, _freeAt.Min());
        return _freeAt[worker] = Work(Math.Max(arrival, _freeAt[worker]));
    }

    public void Reset() => Array.Clear(_freeAt);

    /// <summary>
    /// Returns the calls per second of a closed loop, in which each caller waits for a response before its next call. Stalls are not included.
    /// </summary>
    public double ClosedLoopRate(int callers) => Math.Min(callers, parallelism) / service;

    /// <summary>Returns the latency of a call in a closed loop. Callers beyond the parallelism wait for each other.</summary>
    public double ClosedLoopLatency(int callers) => service * Math.Max(1, (double)callers / parallelism);

    /// <summary>
    /// Returns a quantile of the latency in an open loop. Calls are due at even intervals, and their rate is the given share of the capacity. The latency of a
    /// call is measured from its due time. At the start of a stall, the waiting time is the length of the stall. It then falls linearly, by 1 − share per
    /// second, to 0. A share of 1 − q of all calls is due in the first (1 − q) × period of this fall, and these calls wait longest. The quantile of the waiting
    /// time is therefore shorter than the stall by (1 − q) × (1 − share) × period.
    /// </summary>
    public double OpenLoopLatency(double share, double quantile) => service + Math.Max(0, stallFor - ((1 - quantile) * (1 - share) * stallEvery));

    /// <summary>Returns the time at which a call that starts at <paramref name="begin"/> is complete.</summary>
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
