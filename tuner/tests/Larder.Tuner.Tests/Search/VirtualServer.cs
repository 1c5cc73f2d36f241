using Larder.Agent;
using Larder.Lab.Known;

namespace Larder.Tuner.Tests.Search;

/// <summary>The known server in virtual time. All times in seconds.</summary>
internal sealed class VirtualServer(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
{
    /// <summary>When it answers what.</summary>
    public AnalyticSchedule Schedule { get; } = new(parallelism, service, stallEvery, stallFor);

    /// <summary>Callers who each wait for their answer before they ask again: throughput and latencies over a time.</summary>
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

    /// <summary>Arrivals at an even rate, whatever the server does: latencies from when each was due.</summary>
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
