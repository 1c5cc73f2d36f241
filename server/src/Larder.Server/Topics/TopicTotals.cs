namespace Larder.Server.Topics;

/// <summary>What topics that are no more have counted, so that the sums of all never fall. Safe from any thread.</summary>
internal sealed class TopicTotals
{
    private long _messages;
    private long _messageBytes;
    private long _deliveries;
    private long _gaps;

    /// <summary>Messages.</summary>
    public long Messages => Volatile.Read(ref _messages);

    /// <summary>Bytes of their values.</summary>
    public long MessageBytes => Volatile.Read(ref _messageBytes);

    /// <summary>Messages given to subscribers' connections.</summary>
    public long Deliveries => Volatile.Read(ref _deliveries);

    /// <summary>Discontinuities told.</summary>
    public long Gaps => Volatile.Read(ref _gaps);

    /// <summary>Takes what was published in.</summary>
    public void AddPublished(long messages, long bytes)
    {
        Interlocked.Add(ref _messages, messages);
        Interlocked.Add(ref _messageBytes, bytes);
    }

    /// <summary>Takes what subscribers got in.</summary>
    public void AddDelivered(long deliveries, long gaps)
    {
        Interlocked.Add(ref _deliveries, deliveries);
        Interlocked.Add(ref _gaps, gaps);
    }
}
