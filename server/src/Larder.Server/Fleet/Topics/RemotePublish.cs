using System.Threading.Tasks.Sources;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Topics;

namespace Larder.Server.Fleet;

/// <summary>Runs a Publish call as one script. The task of the call completes on the thread that has read the reply.</summary>
internal sealed class RemotePublish(RemoteGateway gateway, Action<RemotePublish> giveBack) : RedisCommand, IValueTaskSource<CallError?>
{
    // The field tag and the length (up to three bytes) that precede a stored value.
    private const int MaxHeaderFields = 4;

    private ManualResetValueTaskSourceCore<CallError?> _source;

    /// <summary>Sends the message. If it is unknown whether the script has run, the message is not resent, because it could then be published twice.</summary>
    public ValueTask<CallError?> RunAsync(in RemoteTopicKeys keys, in TopicMessage message, TimeSpan? remaining)
    {
        _source.Reset();
        Lane = RedisStore.PresentLane;
        BeginScript(FleetScripts.TopicPublish, 2, 6);
        AddKey(default, keys.Stream);
        AddKey(default, keys.Place);
        Add(message.Value.Span);
        Add(System.Text.Encoding.UTF8.GetBytes(message.PublisherId));
        Add((long)TopicLimits.DeletedAfterIdle.TotalMilliseconds);
        Add(TopicLimits.KeptMessages);
        Add(FleetLimits.TopicSlack);
        Add(TopicLimits.KeptBytes + (MaxHeaderFields * (TopicLimits.KeptMessages + FleetLimits.TopicSlack)));
        Deadline = gateway.EndOf(gateway.TimeProvider.GetTimestamp(), remaining);
        ValueTask<CallError?> task = new(this, _source.Version);
        gateway.Store.Send(this);
        gateway.Store.Flush();
        return task;
    }

    protected override void OnReply(ref RespReader reply) => _source.SetResult(null);

    protected override void OnFailure(RedisFailure failure) => _source.SetResult(FleetErrors.Of(failure));

    CallError? IValueTaskSource<CallError?>.GetResult(short token)
    {
        CallError? result = _source.GetResult(token);
        giveBack(this);
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<CallError?>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<CallError?>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);
}
