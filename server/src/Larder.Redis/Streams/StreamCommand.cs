namespace Larder.Redis;

/// <summary>
/// A command for one stream that uses the store's own connections. It is used while the slot is being moved, because the stream may then be on a different node
/// than the one to which the follower is connected.
/// </summary>
/// <param name="onReply">Reads the reply.</param>
internal sealed class StreamCommand(StreamCommand.ReplyHandler onReply) : RedisCommand
{
    private readonly TaskCompletionSource<RedisFailure?> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Processes a reply. The reply is valid only during the call.</summary>
    internal delegate void ReplyHandler(ref RespReader reply);

    /// <summary>Gets a task that completes when the command completes. The result is the failure, or null on success.</summary>
    public Task<RedisFailure?> End => _end.Task;

    protected internal override void OnReply(ref RespReader reply)
    {
        try
        {
            onReply(ref reply);
            _end.SetResult(null);
        }
        catch (InvalidDataException broken)
        {
            _end.SetResult(new RedisFailure(RedisFailureKind.Other, NotExecuted: false, broken.Message));
        }
    }

    protected internal override void OnFailure(RedisFailure failure) => _end.SetResult(failure);
}
