using System.Collections.Concurrent;

namespace Larder.Client.Pipeline;

/// <summary>A client's completion batches: the idle ones, and the watch over those under way. As many as reads were ever being signalled at once.</summary>
internal sealed class CompletionBatches : IDisposable
{
    // Long beside any continuation that does not block, short beside any deadline.
    private static readonly TimeSpan WatchEvery = TimeSpan.FromMilliseconds(100);

    private readonly ConcurrentQueue<CompletionBatch> _idle = new();
    private readonly ConcurrentBag<CompletionBatch> _all = [];
    private readonly ITimer _watch;

    public CompletionBatches(TimeProvider time) =>
        _watch = time.CreateTimer(static state => ((CompletionBatches)state!).Watch(), this, WatchEvery, WatchEvery);

    public CompletionBatch Rent()
    {
        if (_idle.TryDequeue(out CompletionBatch? batch))
        {
            return batch;
        }

        batch = new CompletionBatch(this);
        _all.Add(batch);
        return batch;
    }

    public void Return(CompletionBatch batch) => _idle.Enqueue(batch);

    public void Dispose() => _watch.Dispose();

    private void Watch()
    {
        foreach (CompletionBatch batch in _all)
        {
            batch.HelpIfStalled();
        }
    }
}
