using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Receives the outcome of a <see cref="RemoteCommand"/>: a pipeline, a unary call or a joined call. Exactly one of the three callbacks runs, once, on any
/// thread. It gives the command back to the caller.
/// </summary>
internal abstract class RemoteCaller
{
    /// <summary>The connection that the call came on. Connections share the turns on a node.</summary>
    public abstract object Owner { get; }

    /// <summary>Whether no client waits for the response any more. Called on any thread.</summary>
    public abstract bool IsGone { get; }

    /// <summary>Called when the command has a reply.</summary>
    public abstract void OnReply(RemoteCommand command, ref RespReader reply);

    /// <summary>Called when the command has failed.</summary>
    public abstract void OnFailure(RemoteCommand command, RedisFailure failure);

    /// <summary>Called when all parts of a joined call have ended; <see cref="RemoteCommand.Join"/> has the result.</summary>
    public abstract void OnJoined(RemoteCommand command);

    /// <summary>Copies a request that is needed after its message is released. The copy is kept until the call has ended.</summary>
    /// <exception cref="Wire.RpcException">RESOURCE_EXHAUSTED: there is not enough memory for the copy.</exception>
    public abstract ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request);
}
