using Larder.Agent;
using Larder.Tuner.Adaptive;

namespace Larder.Tuner.Tests.Adaptive;

/// <summary>
/// Callers who always want more, a cap, and a server of fixed parallelism whose calls take a drawn time, in virtual time. The server can be slowed
/// between two moments.
/// </summary>
internal sealed class CappedWorld(int parallelism, double meanSeconds, Func<double, double>? slowness = null)
{
    private readonly Random _random = new(1);
    private readonly double[] _freeAt = new double[parallelism];

    /// <summary>What happened between two moments.</summary>
    public sealed record Outcome(double CallsPerSecond, double P999Seconds);

    /// <summary>Runs it, either with a fixed cap or with a controller; measures between two moments, in seconds.</summary>
    public Outcome Run(double until, double from, double to, int fixedCap, AdaptiveCap? controller = null)
    {
        Array.Clear(_freeAt);
        var inFlight = new PriorityQueue<double, double>();
        var latencies = new LoadHistogram();
        double now = 0;
        while (now < until)
        {
            while (inFlight.Count < (controller?.Limit ?? fixedCap))
            {
                inFlight.Enqueue(now, Serve(now));
            }

            inFlight.TryDequeue(out var begun, out now);
            controller?.Completed(TimeSpan.FromSeconds(begun), TimeSpan.FromSeconds(now), othersWaited: true);
            if (now >= from && now < to)
            {
                latencies.Record((long)((now - begun) * 1e9));
            }
        }

        return new Outcome(latencies.Total / (to - from), latencies.Quantile(0.999) / 1e9);
    }

    /// <summary>Between half and one and a half of the mean: a server without a long tail of its own.</summary>
    private double Serve(double arrival)
    {
        var worker = Array.IndexOf(_freeAt, _freeAt.Min());
        var begin = Math.Max(arrival, _freeAt[worker]);
        return _freeAt[worker] = begin + (meanSeconds * (0.5 + _random.NextDouble()) * (slowness?.Invoke(begin) ?? 1));
    }
}
