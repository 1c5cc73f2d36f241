using System.Collections.Concurrent;

namespace Larder.Wire.Http2;

/// <summary>A connection's completion batches: the idle ones, and the watch over those that run. As many as were ever run at once.</summary>
internal sealed class CompletionBatches : IDisposable
{
    // A program that blocks in one caller will do so in others: it loses some 15 ms a second by it, and not at each call.
    private static readonly TimeSpan StallMemory = TimeSpan.FromSeconds(1);

    private readonly ConcurrentQueue<CompletionBatch> _idle = new();
    private readonly Lock _lock = new();
    private readonly Ticker _watch;
    private readonly TimeProvider _time;
    private CompletionBatch[] _all = [];
    private long _stalledAt;

    public CompletionBatches(TimeProvider time)
    {
        _time = time;
        _watch = new Ticker(time, Watch);
    }

    /// <summary>Whether callers may leave work to the batch that woke them.</summary>
    public bool MayDefer => Volatile.Read(ref _stalledAt) == 0 || _time.GetElapsedTime(Volatile.Read(ref _stalledAt)) > StallMemory;

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
