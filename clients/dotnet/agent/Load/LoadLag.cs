using System.Diagnostics;

namespace Larder.Agent;

/// <summary>Measures thread-pool lag: a dedicated thread queues a work item every 10 ms, and the work item records how long it waited for a thread.</summary>
internal sealed class LoadLag : IDisposable
{
    private static readonly TimeSpan s_every = TimeSpan.FromMilliseconds(10);
    private readonly LoadHistogram _late = new();
    private readonly ManualResetEventSlim _stop = new();
    private readonly Thread _thread;

    /// <summary>Starts the measurement.</summary>
    public LoadLag()
    {
        _thread = new Thread(Probe) { IsBackground = true, Name = "load lag" };
        _thread.Start();
    }

    /// <summary>Returns a quantile of the lag so far, in µs.</summary>
    public double QuantileUs(double quantile)
    {
        lock (_late)
        {
            return _late.QuantileUs(quantile);
        }
    }

    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
    }

    private void Probe()
    {
        while (!_stop.Wait(s_every))
        {
            long asked = Stopwatch.GetTimestamp();
            ThreadPool.UnsafeQueueUserWorkItem(Ran, asked, preferLocal: false);
        }
    }

    private void Ran(long asked)
    {
        long late = (long)Stopwatch.GetElapsedTime(asked).TotalNanoseconds;
        lock (_late)
        {
            _late.Record(late);
        }
    }
}
