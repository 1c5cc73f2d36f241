namespace Larder.Server.Topics;

/// <summary>What the topics of one cache hold of <see cref="TopicMemory"/>. Safe from any thread.</summary>
internal sealed class TopicShare(TopicMemory memory)
{
    private long _usedBytes;
    private int _hasEnded;

    /// <summary>Bytes taken.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>The memory that it is a share of.</summary>
    public TopicMemory Memory => memory;

    /// <summary>
    /// Its feeds that keep something; and all of them, those without subscribers apart from those with. For the memory alone, under its lock.
    /// </summary>
    internal LinkedList<TopicFeed> Keeping { get; } = [];

    /// <inheritdoc cref="Keeping"/>
    internal LinkedList<TopicFeed> Idle { get; } = [];

    /// <inheritdoc cref="Keeping"/>
    internal LinkedList<TopicFeed> Followed { get; } = [];

    /// <summary>Takes bytes; false if none are left and nothing can be let go for them. Not under a feed's lock.</summary>
    public bool TryTake(long bytes) => memory.TryTake(this, bytes);

    /// <summary>Gives bytes back.</summary>
    public void Give(long bytes) => memory.Give(this, bytes);

    /// <summary>Whether feeds have ended to make room, since this was asked last: whoever lists them drops those.</summary>
    public bool TakeHasEnded() => Interlocked.Exchange(ref _hasEnded, 0) != 0;

    /// <summary>A feed has ended to make room.</summary>
    internal void NoteEnded() => Interlocked.Exchange(ref _hasEnded, 1);

    internal void Count(long bytes) => Interlocked.Add(ref _usedBytes, bytes);
}
