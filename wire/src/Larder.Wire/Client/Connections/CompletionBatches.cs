using System.Collections.Concurrent;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// The completion batches of a connection. Contains a pool of idle batches, and a watchdog for running batches. The number of batches is the highest number
/// that has run at the same time.
/// </summary>
internal sealed class CompletionBatches : IDisposable
{
    // The time for which a stall is remembered. A program that blocks in one caller is likely to block in other callers. Because stalls are remembered, such a
    // program loses about 15 ms a second instead of 15 ms per call.
    private static readonly TimeSpan StallMemory = TimeSpan.FromSeconds(1);

    // The number of batches that run on the pool after a batch whose callers took too long. If the next attempt on the reactor's thread is slow again, the
    // number doubles, up to the maximum.
    private const int FirstPoolTurns = 16;
    private const int MaxPoolTurns = 4_096;

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

    /// <summary>Gets or sets the batches of the connection whose responses this thread handles, or null.</summary>
    [ThreadStatic]
    public static CompletionBatches? Reading;

    /// <summary>Gets or sets the receiver of the connection's duplex call, or null if it has none.</summary>
    public IDuplexReceiver? Receiver { get; set; }

    /// <summary>Gets whether callers may defer work to the batch that resumes them.</summary>
    public bool MayDefer => Volatile.Read(ref _stalledAt) == 0 || _time.GetElapsedTime(Volatile.Read(ref _stalledAt)) > StallMemory;

    /// <summary>
    /// Returns whether the next batch may resume its callers on the reactor's thread, because recent callers were quick. Called once per batch, by
    /// the reader.
    /// </summary>
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

    /// <summary>Records that a batch has stalled.</summary>
    public void OnStalled() => Volatile.Write(ref _stalledAt, Math.Max(1, _time.GetTimestamp()));

    /// <summary>Records that a batch resumes its callers on the reactor's thread.</summary>
    public void OnRunsHere()
    {
        _penalty = _wasSlow ? Math.Min(_penalty * 2, MaxPoolTurns) : FirstPoolTurns;
        _wasSlow = false;
    }

    /// <summary>Records that the batch took too long for the reactor's thread.</summary>
    public void OnSlow()
    {
        _wasSlow = true;
        _poolTurns = _penalty;
    }

    /// <summary>Records that a batch has started.</summary>
    public void OnStarted() => _watch.Wake();

    public void Dispose() => _watch.Dispose();

    // Starts additional runners for batches that have stalled. Returns true if any batch is running.
    private bool Watch()
    {
        bool runs = false;
        foreach (CompletionBatch batch in Volatile.Read(ref _all))
        {
            if (batch.IsRunning)
            {
                runs = true;
                batch.CompleteInlineIfStalled();
            }
        }

        return runs;
    }
}
