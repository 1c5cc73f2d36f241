using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Who waits for a <see cref="RemoteCommand"/>: a pipeline, a unary call, or a call that is joined from several. Exactly one of the three ends is told, once,
/// on any thread; the command is the caller's again then.
/// </summary>
internal abstract class RemoteCaller
{
    /// <summary>Who shares the turns on a node: the connection that the call came on.</summary>
    public abstract object Owner { get; }

    /// <summary>Whether nobody waits for the answer any more. On any thread.</summary>
    public abstract bool IsGone { get; }

    /// <summary>The command was answered.</summary>
    public abstract void OnReply(RemoteCommand command, ref RespReader reply);

    /// <summary>The command failed.</summary>
    public abstract void OnFailure(RemoteCommand command, RedisFailure failure);

    /// <summary>Every part of a joined call has ended; <see cref="RemoteCommand.Join"/> has the answer.</summary>
    public abstract void OnJoined(RemoteCommand command);

    /// <summary>A request that outlives its message: kept until the call has ended.</summary>
    /// <exception cref="Wire.RpcException">RESOURCE_EXHAUSTED: there is no memory for it.</exception>
    public abstract ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request);
}
