namespace Larder.Redis;

/// <summary>
/// Receives notifications about keys that were read on tracked connections (<see cref="RedisCommand.BeginTrackedGet"/>). Each key is reported once,
/// at its next change, and again after it was read again. The methods are called on any thread, which they must not block.
/// </summary>
public interface IKeyWatch
{
    /// <summary>
    /// Called when a key may have another value or time to live, or may no longer exist. The call comes after the replies before it on its
    /// connection, and before those after it.
    /// </summary>
    /// <param name="key">The key as stored by the node; valid only during the call.</param>
    void Invalidated(ReadOnlySpan<byte> key);

    /// <summary>
    /// Called when any key may have changed unnoticed: a tracked connection was lost or closed, a slot has another master, or a node was emptied. The
    /// call comes before any key is read again on another connection.
    /// </summary>
    void Lost();

    /// <summary>Called when the requests by <see cref="RedisStore.Confirm"/> with numbers up to <paramref name="number"/> are fulfilled.</summary>
    void Confirmed(long number);
}
