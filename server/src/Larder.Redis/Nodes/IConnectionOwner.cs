namespace Larder.Redis;

/// <summary>Handles the events of a connection. The methods are called without the connection's lock, on any thread.</summary>
internal interface IConnectionOwner
{
    /// <summary>Called when the connection is open and the node has replied to HELLO.</summary>
    void OnOpened(HelloReply hello);

    /// <summary>Called when the node has replied to a command with an error, whose text is given.</summary>
    void OnError(RedisCommand command, ReadOnlySpan<byte> text);

    /// <summary>Called for a push message on a tracked connection, in order: after the replies before it and before the replies after it.</summary>
    /// <exception cref="InvalidDataException">The message cannot be read; the connection ends.</exception>
    void OnPush(ReadOnlySpan<byte> frame);

    /// <summary>Called when the connection has ended before the reply to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="wasHanded">Whether any part of it may have been sent.</param>
    /// <param name="reason">The reason why the connection ended.</param>
    void OnLost(RedisCommand command, bool wasHanded, Exception reason);

    /// <summary>Called when the connection has ended, after <see cref="OnLost"/> for all its commands.</summary>
    void OnEnded(NodeConnection connection, Exception reason);
}
