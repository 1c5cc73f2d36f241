namespace Larder.Server.Topics;

/// <summary>How what was appended gets to the connections of those who follow.</summary>
internal sealed partial class TopicFeed : IThreadPoolWorkItem
{
    // A publisher that is so far ahead waits for the next round: half of a reader's queue.
    private const int MostAhead = TopicLimits.QueuedMessages / 2;

    private int _isScheduled;
    private long _offered;
    private TaskCompletionSource? _round;

    /// <summary>
    /// Completes at once unless messages come faster than they are offered to the connections; then when the next round is over. It waits for no reader.
    /// Nothing is waited for where nobody follows.
    /// </summary>
    public ValueTask WaitForRoundAsync()
    {
        if (NewestIndex - Volatile.Read(ref _offered) <= MostAhead || Streams.Count == 0)
        {
            return default;
        }

        lock (_lock)
        {
            return NewestIndex - _offered <= MostAhead
                ? default
                : new ValueTask((_round ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task);
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        Interlocked.Exchange(ref _isScheduled, 0);
        long newest = NewestIndex;
        try
        {
            Streams.Signal();
        }
        finally
        {
            TaskCompletionSource? round;
            lock (_lock)
            {
                _offered = Math.Max(_offered, newest);
                round = _round;
                _round = null;
            }

            round?.TrySetResult();
        }
    }

    private void Offer()
    {
        if (Volatile.Read(ref _isScheduled) == 0 && Interlocked.Exchange(ref _isScheduled, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
