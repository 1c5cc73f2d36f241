using Larder.Client.Adaptive;
using Larder.Client.Calls;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Adaptive;

/// <summary>
/// Simulates callers and a server in virtual time. There are always enough callers to reach the concurrency limit, which is adaptive or fixed. The server has a
/// fixed parallelism and random service times. The simulation can slow the server down for a period, and can add a fixed network delay.
/// </summary>
internal sealed class AdaptiveCapSimulation(int parallelism, double meanSeconds, Func<double, double>? slowness = null, double networkSeconds = 0)
{
    private readonly Random _random = new(1);
    private readonly double[] _freeAt = new double[parallelism];

    /// <summary>The throughput and latency measured during an interval.</summary>
    public sealed record Outcome(double CallsPerSecond, double P999Seconds);

    /// <summary>Runs the simulation with a fixed limit. Measures from <paramref name="from"/> to <paramref name="to"/>, in seconds.</summary>
    public Outcome Run(double until, double from, double to, int cap) => Run(until, from, to, () => cap, null);

    /// <summary>Runs the simulation with an adaptive limit.</summary>
    public Outcome Run(double until, double from, double to, AdaptiveWorldCap cap) => Run(until, from, to, () => cap.Limit, cap);

    private Outcome Run(double until, double from, double to, Func<int> limit, AdaptiveWorldCap? cap)
    {
        Array.Clear(_freeAt);
        PriorityQueue<double, double> inFlight = new();
        List<double> latencies = [];
        double now = 0;
        while (now < until)
        {
            while (inFlight.Count < limit())
            {
                inFlight.Enqueue(now, Serve(now + (networkSeconds / 2)) + (networkSeconds / 2));
            }

            inFlight.TryDequeue(out double begun, out now);
            cap?.Ended(begun, now);
            if (now >= from && now < to)
            {
                latencies.Add(now - begun);
            }
        }

        latencies.Sort();
        return new Outcome(latencies.Count / (to - from), latencies[(int)(latencies.Count * 0.999)]);
    }

    // The service time is 0.5 to 1.5 times the mean, so the latencies of the server itself have no long tail.
    private double Serve(double arrival)
    {
        int worker = Array.IndexOf(_freeAt, _freeAt.Min());
        double begin = Math.Max(arrival, _freeAt[worker]);
        return _freeAt[worker] = begin + (meanSeconds * (0.5 + _random.NextDouble()) * (slowness?.Invoke(begin) ?? 1));
    }
}

/// <summary>The client's adaptive limiter in virtual time. Callers are always waiting for a permit, unless the test limits the demand.</summary>
internal sealed class AdaptiveWorldCap
{
    private readonly Clock _clock;
    private readonly InFlightLimiter _limiter;
    private readonly AdaptiveLimiter _adaptive;
    private readonly long _origin;
    private readonly bool _callersWait;

    public AdaptiveWorldCap(int targetMs, int most = 5_000, bool callersWait = true)
    {
        _clock = new Clock(new ManualTime());
        _origin = _clock.Now;
        _limiter = new InFlightLimiter(most, 1);
        _adaptive = new AdaptiveLimiter(_limiter, most, TimeSpan.FromMilliseconds(targetMs), _clock, null, NullLogger.Instance);
        _callersWait = callersWait;
        KeepOneWaiting();
    }

    public int Limit => _limiter.Limit;

    public bool IsOutOfReach => _adaptive.IsOutOfReach;

    public void Ended(double begunSeconds, double nowSeconds)
    {
        _adaptive.Ended(TicksAt(begunSeconds), TicksAt(nowSeconds), hasFailed: false);
        KeepOneWaiting();
    }

    private long TicksAt(double seconds) => _origin + _clock.Ticks(TimeSpan.FromSeconds(seconds));

    private void KeepOneWaiting()
    {
        while (_callersWait && _limiter.Waiting == 0)
        {
            _limiter.Enter(new Waiter());
        }
    }

    private sealed class Waiter : LimiterWaiter
    {
        internal override long WaiterVersion => 1;

        internal override bool TryGrant(long version) => true;
    }
}
