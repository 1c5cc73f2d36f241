using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Receives the outcome of a <see cref="RemoteCommand"/>. Implemented by pipelines, unary calls and joined calls. For each command, exactly one of the three
/// callbacks runs exactly once, on any thread. From the callback on, this object may reuse the command.
/// </summary>
internal abstract class RemoteCaller
{
    /// <summary>Gets the connection on which the call arrived. The commands of one connection share a queue while they wait for their turn on a node.</summary>
    public abstract object Owner { get; }

    /// <summary>Gets whether the client no longer waits for the response. May be called on any thread.</summary>
    public abstract bool IsGone { get; }

    /// <summary>Called when the command has a reply.</summary>
    public abstract void OnReply(RemoteCommand command, ref RespReader reply);

    /// <summary>Called when the command has failed.</summary>
    public abstract void OnFailure(RemoteCommand command, RedisFailure failure);

    /// <summary>Called when all parts of a joined call have ended. <see cref="RemoteCommand.Join"/> contains the result.</summary>
    public abstract void OnJoined(RemoteCommand command);

    /// <summary>Copies a request that is needed after its message has been released. The copy is kept until the call has ended.</summary>
    /// <exception cref="Wire.RpcException">RESOURCE_EXHAUSTED: there is not enough memory for the copy.</exception>
    public abstract ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request);
}
