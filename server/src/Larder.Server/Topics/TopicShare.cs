namespace Larder.Server.Topics;

/// <summary>Counts the memory that the topics of one cache use. It is one cache's share of <see cref="TopicMemory"/>. Thread-safe.</summary>
internal sealed class TopicShare(TopicMemory memory)
{
    private long _usedBytes;
    private int _hasEnded;

    /// <summary>Gets the number of bytes in use.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>Gets the object that limits the memory of the topics of all caches.</summary>
    public TopicMemory Memory => memory;

    /// <summary>
    /// Gets the feeds that keep messages. <c>Idle</c> contains all feeds without subscribers, <c>Followed</c> all feeds with subscribers. Only
    /// <see cref="TopicMemory"/> uses these lists, under its lock.
    /// </summary>
    internal LinkedList<TopicFeed> FeedsWithMessages { get; } = [];

    /// <inheritdoc cref="FeedsWithMessages"/>
    internal LinkedList<TopicFeed> Idle { get; } = [];

    /// <inheritdoc cref="FeedsWithMessages"/>
    internal LinkedList<TopicFeed> Followed { get; } = [];

    /// <summary>
    /// Reserves memory. Returns false if no memory is left and nothing can be dropped to release memory. The caller must not hold the lock of a feed.
    /// </summary>
    public bool TryTake(long bytes) => memory.TryTake(this, bytes);

    /// <summary>Releases memory that was reserved.</summary>
    public void Give(long bytes) => memory.Give(this, bytes);

    /// <summary>Returns whether feeds were ended to release memory since the previous call. The owner of the feeds must then remove them.</summary>
    public bool TakeHasEnded() => Interlocked.Exchange(ref _hasEnded, 0) != 0;

    /// <summary>Records that a feed was ended to release memory.</summary>
    internal void NoteEnded() => Interlocked.Exchange(ref _hasEnded, 1);

    internal void Count(long bytes) => Interlocked.Add(ref _usedBytes, bytes);
}
