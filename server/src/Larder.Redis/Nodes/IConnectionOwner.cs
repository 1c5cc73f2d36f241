namespace Larder.Redis;

/// <summary>Handles the events of a connection. The methods are called without the connection's lock, on any thread.</summary>
internal interface IConnectionOwner
{
    /// <summary>Called when the connection is open and the node has replied to HELLO.</summary>
    void OnOpened(HelloReply hello);

    /// <summary>Called when the node has replied to a command with an error. <c>text</c> is the text of the error.</summary>
    void OnError(RedisCommand command, ReadOnlySpan<byte> text);

    /// <summary>Called for a push message on a tracked connection. Messages and replies are delivered in the order in which they arrived.</summary>
    /// <exception cref="InvalidDataException">The message is invalid. The connection then ends.</exception>
    void OnPush(ReadOnlySpan<byte> frame);

    /// <summary>Called for each command whose reply has not arrived when the connection ends.</summary>
    /// <param name="command">The command.</param>
    /// <param name="wasHanded">Whether any part of the command may have been sent.</param>
    /// <param name="reason">The reason why the connection ended.</param>
    void OnLost(RedisCommand command, bool wasHanded, Exception reason);

    /// <summary>Called when the connection has ended, after <see cref="OnLost"/> for all its commands.</summary>
    void OnEnded(NodeConnection connection, Exception reason);
}
