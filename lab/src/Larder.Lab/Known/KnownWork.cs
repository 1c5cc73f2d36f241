using System.Diagnostics;
using Larder.Agent;

namespace Larder.Lab.Known;

/// <summary>
/// The work of a server whose right answer can be computed: so many calls at once, each of a fixed time, the others first come first served. The
/// next call begins when the one before was due to end, not when that was noticed, so that a late wake-up costs no capacity.
/// </summary>
internal sealed class KnownWork : IDisposable
{
    /// <summary>Calls that may wait; past it a call is refused. Far above what any client of ours sends at once.</summary>
    public const int MostWaiting = 100_000;

    // A server that becomes itself again has work due before what is slept for.
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

    /// <param name="parallelism">Calls at once: at least 1.</param>
    /// <param name="service">Time that each takes.</param>
    public KnownWork(int parallelism, TimeSpan service)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(parallelism, 1);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(service, TimeSpan.Zero);
        _parallelism = parallelism;
        _serviceTicks = (long)(service.TotalSeconds * Stopwatch.Frequency);
        _pacer = new Thread(Pace) { IsBackground = true, Name = "known work" };
        _pacer.Start();
    }

    /// <summary>How many times slower than <c>service</c> calls are that begin from now on. Default 1.</summary>
    public double Slowness
    {
        get => Volatile.Read(ref _slowness);
        set => Volatile.Write(ref _slowness, value);
    }

    /// <summary>One call's work; null where too many wait.</summary>
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

            if (_waiting.Count >= MostWaiting)
            {
                return null;
            }

            _waiting.Enqueue(call);
            return call.Task;
        }
    }

    /// <summary>Ends it; calls that it holds end at once.</summary>
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

    /// <summary>Ticks until the next is due; null where nothing runs.</summary>
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
