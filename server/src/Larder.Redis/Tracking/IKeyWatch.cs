namespace Larder.Redis;

/// <summary>
/// Told what the nodes say of the keys that were read on tracked connections (<see cref="RedisCommand.BeginTrackedGet"/>): each is told of once, at its next
/// change, and again after it was read again. On any thread, which it may not block.
/// </summary>
public interface IKeyWatch
{
    /// <summary>
    /// The key may have another value or another time to live, or none. Told after the answers that came before it on its connection, and before those behind.
    /// </summary>
    /// <param name="key">As the node has it; valid within the call only.</param>
    void Invalidated(ReadOnlySpan<byte> key);

    /// <summary>
    /// Any key may have changed unseen: a tracked connection was lost or let go, a slot has another master, or a node was emptied. Told before what was read
    /// is read anew on another connection.
    /// </summary>
    void Lost();

    /// <summary>
    /// What was asked for by <see cref="RedisStore.Confirm"/> has come about, for all numbers up to <paramref name="number"/>; see there.
    /// </summary>
    void Confirmed(long number);
}
