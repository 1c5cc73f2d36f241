namespace Larder.Redis;

/// <summary>Who decides about what a connection meets. Called without the connection's lock, on any thread.</summary>
internal interface IConnectionOwner
{
    /// <summary>It is made, and the node has said who it is.</summary>
    void OnOpened(HelloReply hello);

    /// <summary>The node answered a command with an error, of which this is the text.</summary>
    void OnError(RedisCommand command, ReadOnlySpan<byte> text);

    /// <summary>The node said something unasked, on a connection that it tracks: after the answers before it, and before those behind.</summary>
    /// <exception cref="InvalidDataException">It cannot be read; the connection ends.</exception>
    void OnPush(ReadOnlySpan<byte> frame);

    /// <summary>The connection has ended with a command on it.</summary>
    /// <param name="command">The command.</param>
    /// <param name="wasHanded">Whether any of it may have been sent.</param>
    /// <param name="reason">Why it ended.</param>
    void OnLost(RedisCommand command, bool wasHanded, Exception reason);

    /// <summary>It has ended; all its commands were told of before.</summary>
    void OnEnded(NodeConnection connection, Exception reason);
}
