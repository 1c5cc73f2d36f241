using Larder.Agent;
using Larder.Lab.Known;

namespace Larder.Tuner.Tests.Search;

/// <summary>The analytic server in virtual time. All times are in seconds.</summary>
internal sealed class VirtualServer(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
{
    /// <summary>Gets the schedule, which computes when each call completes.</summary>
    public AnalyticSchedule Schedule { get; } = new(parallelism, service, stallEvery, stallFor);

    /// <summary>Runs a closed loop, in which each caller waits for its response before its next call. Returns throughput and latencies.</summary>
    public (double RequestsPerSecond, LoadHistogram Latencies) ClosedLoop(int callers, double seconds)
    {
        Schedule.Reset();
        var histogram = new LoadHistogram();
        var asks = new PriorityQueue<int, double>(Enumerable.Range(0, callers).Select(caller => (caller, 0.0)));
        while (asks.TryDequeue(out int caller, out double at) && at < seconds)
        {
            double answered = Schedule.Answer(at);
            histogram.Record((long)((answered - at) * 1e9));
            asks.Enqueue(caller, answered);
        }

        return (histogram.Total / seconds, histogram);
    }

    /// <summary>Runs an open loop with arrivals at a constant rate. Returns the latencies, measured from the due times.</summary>
    public LoadHistogram OpenLoop(double ratePerSecond, double seconds)
    {
        Schedule.Reset();
        var histogram = new LoadHistogram();
        for (int i = 0; i < ratePerSecond * seconds; i++)
        {
            double due = i / ratePerSecond;
            histogram.Record((long)((Schedule.Answer(due) - due) * 1e9));
        }

        return histogram;
    }
}
