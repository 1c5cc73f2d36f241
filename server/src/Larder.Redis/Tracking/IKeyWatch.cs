namespace Larder.Redis;

/// <summary>
/// Receives notifications about keys that were read on tracked connections (<see cref="RedisCommand.BeginTrackedGet"/>). Each key is reported once, at its next
/// change, and then again only after it was read again. The methods may be called on any thread, and must not block the thread.
/// </summary>
public interface IKeyWatch
{
    /// <summary>
    /// Called when a key may have another value or time to live, or may no longer exist. Notifications and replies on a connection are delivered in the order
    /// in which they arrived.
    /// </summary>
    /// <param name="key">The key as stored by the node; valid only during the call.</param>
    void Invalidated(ReadOnlySpan<byte> key);

    /// <summary>
    /// Called when any key may have changed without a notification. This is possible after a tracked connection was lost or closed, a slot got another master,
    /// or all keys of a node were deleted. The call happens before any key is read again on another connection.
    /// </summary>
    void Lost();

    /// <summary>Called when all requests by <see cref="RedisStore.Confirm"/> that have a number up to <paramref name="number"/> are fulfilled.</summary>
    void Confirmed(long number);
}
