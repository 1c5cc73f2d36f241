using System.Collections.Concurrent;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>A connection's completion batches: the idle ones, and the watch over those that run. As many as were ever run at once.</summary>
internal sealed class CompletionBatches : IDisposable
{
    // A program that blocks in one caller will do so in others: it loses some 15 ms a second by it, and not at each call.
    private static readonly TimeSpan StallMemory = TimeSpan.FromSeconds(1);

    // Batches that go to the pool after one whose callers took long: doubled from the first to the most while each one tried is slow again.
    private const int FirstPoolTurns = 16;
    private const int MostPoolTurns = 4_096;

    private readonly ConcurrentQueue<CompletionBatch> _idle = new();
    private readonly Lock _lock = new();
    private readonly Ticker _watch;
    private readonly TimeProvider _time;
    private CompletionBatch[] _all = [];
    private long _stalledAt;
    private int _poolTurns;
    private int _penalty = FirstPoolTurns;
    private bool _wasSlow;

    public CompletionBatches(TimeProvider time)
    {
        _time = time;
        _watch = new Ticker(time, Watch);
    }

    /// <summary>Whether callers may leave work to the batch that woke them.</summary>
    public bool MayDefer => Volatile.Read(ref _stalledAt) == 0 || _time.GetElapsedTime(Volatile.Read(ref _stalledAt)) > StallMemory;

    /// <summary>Whether the next batch may wake its callers on the reactor's thread: they were quick lately. Asked once for a batch, by the reader.</summary>
    public bool MayRunHere()
    {
        if (_poolTurns > 0)
        {
            _poolTurns--;
            return false;
        }

        return MayDefer;
    }

    public CompletionBatch Rent()
    {
        if (_idle.TryDequeue(out CompletionBatch? batch))
        {
            return batch;
        }

        batch = new CompletionBatch(this);
        lock (_lock)
        {
            _all = [.. _all, batch];
        }

        return batch;
    }

    public void Return(CompletionBatch batch) => _idle.Enqueue(batch);

    /// <summary>A batch stands still.</summary>
    public void OnStalled() => Volatile.Write(ref _stalledAt, Math.Max(1, _time.GetTimestamp()));

    /// <summary>A batch wakes its callers on the reactor's thread.</summary>
    public void OnRunsHere()
    {
        _penalty = _wasSlow ? Math.Min(_penalty * 2, MostPoolTurns) : FirstPoolTurns;
        _wasSlow = false;
    }

    /// <summary>It took too long for that.</summary>
    public void OnSlow()
    {
        _wasSlow = true;
        _poolTurns = _penalty;
    }

    /// <summary>A batch runs from now on.</summary>
    public void OnStarted() => _watch.Wake();

    public void Dispose() => _watch.Dispose();

    // Sends help to batches that stand still. True while one runs.
    private bool Watch()
    {
        bool runs = false;
        foreach (CompletionBatch batch in Volatile.Read(ref _all))
        {
            if (batch.IsRunning)
            {
                runs = true;
                batch.HelpIfStalled();
            }
        }

        return runs;
    }
}
