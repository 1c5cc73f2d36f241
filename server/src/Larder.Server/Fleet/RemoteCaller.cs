using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Receives the outcome of a <see cref="RemoteCommand"/>. Implementations are a pipeline, a unary call and a joined call. Exactly one of the three callbacks
/// runs, once, on any thread. The callback returns the command to its caller, which may then reuse it.
/// </summary>
internal abstract class RemoteCaller
{
    /// <summary>Gets the connection of the call. Connections share the turns on a node.</summary>
    public abstract object Owner { get; }

    /// <summary>Gets whether no client waits for the response any longer. May be called on any thread.</summary>
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
