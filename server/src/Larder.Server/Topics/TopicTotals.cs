namespace Larder.Server.Topics;

/// <summary>The totals of the topics that have ended. They are added to the sums over all topics, which therefore never decrease. Thread-safe.</summary>
internal sealed class TopicTotals
{
    private long _messages;
    private long _messageBytes;
    private long _deliveries;
    private long _gaps;

    public long Messages => Volatile.Read(ref _messages);

    /// <summary>Gets the total size of the values of the messages that <see cref="Messages"/> counts, in bytes.</summary>
    public long MessageBytes => Volatile.Read(ref _messageBytes);

    /// <summary>Gets the number of messages delivered to subscribers' connections.</summary>
    public long Deliveries => Volatile.Read(ref _deliveries);

    public long Gaps => Volatile.Read(ref _gaps);

    /// <summary>Adds the counts of published messages.</summary>
    public void AddPublished(long messages, long bytes)
    {
        Interlocked.Add(ref _messages, messages);
        Interlocked.Add(ref _messageBytes, bytes);
    }

    /// <summary>Adds the counts of deliveries and discontinuities.</summary>
    public void AddDelivered(long deliveries, long gaps)
    {
        Interlocked.Add(ref _deliveries, deliveries);
        Interlocked.Add(ref _gaps, gaps);
    }
}
