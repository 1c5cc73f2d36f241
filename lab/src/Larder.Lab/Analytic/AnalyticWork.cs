using System.Diagnostics;
using Larder.Agent;

namespace Larder.Lab.Known;

/// <summary>
/// The work of a server for which the correct results can be computed: fixed parallelism, fixed service time, calls in order of arrival. A waiting call starts
/// at the computed end of the previous call, even if the thread notices that end later. Late wake-ups therefore do not reduce the capacity.
/// </summary>
internal sealed class AnalyticWork : IDisposable
{
    /// <summary>
    /// The maximum number of waiting calls. Further calls are rejected. The maximum is far above the number of calls that the clients under test send
    /// concurrently.
    /// </summary>
    public const int MaxWaiting = 100_000;

    // The maximum time that the thread sleeps before it checks for due calls again. When the service time becomes shorter, a new call can be due before the
    // call that the thread is waiting for.
    private static readonly TimeSpan LongestSleep = TimeSpan.FromMilliseconds(1);

    private readonly Lock _lock = new();
    private readonly Queue<TaskCompletionSource> _waiting = new();
    private readonly PriorityQueue<TaskCompletionSource, long> _running = new();
    private readonly ManualResetEventSlim _works = new();
    private readonly Thread _pacer;
    private readonly int _parallelism;
    private readonly long _serviceTicks;
    private double _slowness = 1;
    private volatile bool _isClosed;

    /// <param name="parallelism">The number of concurrent calls: at least 1.</param>
    /// <param name="service">The service time of a call.</param>
    public AnalyticWork(int parallelism, TimeSpan service)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(parallelism, 1);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(service, TimeSpan.Zero);
        _parallelism = parallelism;
        _serviceTicks = (long)(service.TotalSeconds * Stopwatch.Frequency);
        _pacer = new Thread(Pace) { IsBackground = true, Name = "known work" };
        _pacer.Start();
    }

    /// <summary>
    /// Gets or sets the factor by which the service time of calls is longer than <c>service</c>. A change applies to calls that start afterwards. The default
    /// is 1.
    /// </summary>
    public double Slowness
    {
        get => Volatile.Read(ref _slowness);
        set => Volatile.Write(ref _slowness, value);
    }

    /// <summary>Starts the work of one call. Returns null if too many calls are waiting.</summary>
    public Task? TryDo()
    {
        var call = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            if (_running.Count < _parallelism)
            {
                Begin(call, Stopwatch.GetTimestamp());
                return call.Task;
            }

            if (_waiting.Count >= MaxWaiting)
            {
                return null;
            }

            _waiting.Enqueue(call);
            return call.Task;
        }
    }

    /// <summary>Stops the work. Calls in progress end immediately.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isClosed = true;
            _works.Set();
        }

        _pacer.Join();
        lock (_lock)
        {
            while (_running.TryDequeue(out TaskCompletionSource? call, out _) || _waiting.TryDequeue(out call))
            {
                call.TrySetResult();
            }
        }

        _works.Dispose();
    }

    private void Begin(TaskCompletionSource call, long at)
    {
        _running.Enqueue(call, at + (long)(_serviceTicks * Slowness));
        _works.Set();
    }

    private void Pace()
    {
        while (!_isClosed)
        {
            long? left = EndThoseDue();
            if (left is null)
            {
                _works.Wait();
            }
            else
            {
                TimeSpan sleep = Stopwatch.GetElapsedTime(0, left.Value);
                PreciseSleep.For(sleep < LongestSleep ? sleep : LongestSleep);
            }
        }
    }

    /// <summary>Completes the calls that are due. Returns the ticks until the next call is due. Returns null if no call is running.</summary>
    private long? EndThoseDue()
    {
        lock (_lock)
        {
            long now = Stopwatch.GetTimestamp();
            while (_running.TryPeek(out TaskCompletionSource? call, out long due))
            {
                if (due > now)
                {
                    return due - now;
                }

                _running.Dequeue();
                call.SetResult();
                if (_waiting.TryDequeue(out TaskCompletionSource? next))
                {
                    Begin(next, due);
                }
            }

            if (!_isClosed)
            {
                _works.Reset();
            }

            return null;
        }
    }
}
