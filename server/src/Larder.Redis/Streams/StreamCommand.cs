namespace Larder.Redis;

/// <summary>
/// A command about one stream that goes by the store's own connections, where the slot is being moved and its reader's node may not have the key.
/// </summary>
/// <param name="onReply">Reads the answer.</param>
internal sealed class StreamCommand(StreamCommand.ReplyHandler onReply) : RedisCommand
{
    private readonly TaskCompletionSource<RedisFailure?> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Reads an answer, valid within the call only.</summary>
    internal delegate void ReplyHandler(ref RespReader reply);

    /// <summary>Ends with it; why it failed, null where it did not.</summary>
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
