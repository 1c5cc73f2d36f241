using System.Diagnostics;

namespace Larder.Agent;

/// <summary>How late the thread pool is: every 10 ms a thread of its own asks it to run a piece of work, and the work says how long that took.</summary>
internal sealed class LoadLag : IDisposable
{
    private static readonly TimeSpan s_every = TimeSpan.FromMilliseconds(10);
    private readonly LoadHistogram _late = new();
    private readonly ManualResetEventSlim _stop = new();
    private readonly Thread _thread;

    /// <summary>Begins to measure.</summary>
    public LoadLag()
    {
        _thread = new Thread(Probe) { IsBackground = true, Name = "load lag" };
        _thread.Start();
    }

    /// <summary>Quantile of the lag so far, in µs.</summary>
    public double QuantileUs(double quantile)
    {
        lock (_late)
        {
            return _late.QuantileUs(quantile);
        }
    }

    /// <summary>Ends it.</summary>
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
