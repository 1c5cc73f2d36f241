using Larder.Agent;

namespace Larder.Tuner.Tests.Search;

/// <summary>
/// A server whose right answers can be computed, in virtual time: so many calls at once, a fixed time each, first come first served, and stalls
/// in which it does nothing. All times in seconds.
/// </summary>
internal sealed class VirtualServer(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
{
    private readonly double[] _freeAt = new double[parallelism];

    /// <summary>Calls that arrive at these times, in order: when each is answered.</summary>
    public double Answer(double arrival)
    {
        var worker = Array.IndexOf(_freeAt, _freeAt.Min());
        return _freeAt[worker] = Work(Math.Max(arrival, _freeAt[worker]));
    }

    /// <summary>Callers who each wait for their answer before they ask again: throughput and latencies over a time.</summary>
    public (double RequestsPerSecond, LoadHistogram Latencies) ClosedLoop(int callers, double seconds)
    {
        Array.Clear(_freeAt);
        var histogram = new LoadHistogram();
        var asks = new PriorityQueue<int, double>(Enumerable.Range(0, callers).Select(caller => (caller, 0.0)));
        while (asks.TryDequeue(out var caller, out var at) && at < seconds)
        {
            var answered = Answer(at);
            histogram.Record((long)((answered - at) * 1e9));
            asks.Enqueue(caller, answered);
        }

        return (histogram.Total / seconds, histogram);
    }

    /// <summary>Arrivals at an even rate, whatever the server does: latencies from when each was due.</summary>
    public LoadHistogram OpenLoop(double ratePerSecond, double seconds)
    {
        Array.Clear(_freeAt);
        var histogram = new LoadHistogram();
        for (var i = 0; i < ratePerSecond * seconds; i++)
        {
            var due = i / ratePerSecond;
            histogram.Record((long)((Answer(due) - due) * 1e9));
        }

        return histogram;
    }

    /// <summary>When a piece of work begun now is done: stalls take the time from a multiple of their period on.</summary>
    private double Work(double begin)
    {
        if (stallEvery == 0)
        {
            return begin + service;
        }

        var period = Math.Floor(begin / stallEvery) * stallEvery;
        var runnable = Math.Max(begin, period + stallFor);
        var next = period + stallEvery;
        return runnable + service <= next ? runnable + service : Work(next) - (next - runnable);
    }
}
