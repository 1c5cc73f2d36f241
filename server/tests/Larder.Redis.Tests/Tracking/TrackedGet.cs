using System.Text;

namespace Larder.Redis.Tests.Tracking;

/// <summary>A tracked GET that a test can await.</summary>
internal sealed class TrackedGet : RedisCommand
{
    private readonly TaskCompletionSource<TrackedAnswer> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Action? _onReply;

    public TrackedGet(string key, Action? onReply = null)
    {
        _onReply = onReply;
        BeginTrackedGet(default, Encoding.Latin1.GetBytes(key));
        IsIdempotent = true;
        Deadline = TestStore.Patiently;
    }

    public Task<TrackedAnswer> Answer => _answer.Task;

    public static Task<TrackedAnswer> AskAsync(RedisStore store, string key)
    {
        TrackedGet get = new(key);
        store.Send(get);
        store.Flush();
        return get.Answer.WaitAsync(Eventually.Limit);
    }

    protected internal override void OnReply(ref RespReader reply)
    {
        _onReply?.Invoke();
        _answer.SetResult(new TrackedAnswer(reply.IsNull ? null : Encoding.Latin1.GetString(reply.Bytes), IsTracked, TtlLeftMs));
    }

    protected internal override void OnFailure(RedisFailure failure) => _answer.SetException(new RedisFailedException(failure));
}

/// <summary>The result of the command.</summary>
internal sealed record TrackedAnswer(string? Value, bool IsTracked, long TtlLeftMs);
