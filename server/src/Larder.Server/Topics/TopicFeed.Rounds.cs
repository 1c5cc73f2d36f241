namespace Larder.Server.Topics;

/// <summary>The methods that distribute appended events to the subscribers' connections.</summary>
internal sealed partial class TopicFeed : IThreadPoolWorkItem
{
    // The maximum number of appended events that were not offered to the connections yet. Above this number, a publisher waits for the next round. It is half
    // of a reader's queue.
    private const int MaxReadAhead = TopicLimits.QueuedMessages / 2;

    private int _isScheduled;
    private long _offered;
    private TaskCompletionSource? _round;

    /// <summary>
    /// Limits the rate of a publisher. If messages are appended faster than they are offered to the connections, the task completes after the next round.
    /// Otherwise it completes immediately. It never waits for a reader, and does not wait if there are no subscribers.
    /// </summary>
    public ValueTask WaitForRoundAsync()
    {
        if (NewestIndex - Volatile.Read(ref _offered) <= MaxReadAhead || Streams.Count == 0)
        {
            return default;
        }

        lock (_lock)
        {
            return NewestIndex - _offered <= MaxReadAhead
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
