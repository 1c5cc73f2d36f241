using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Server.Security;
using Larder.Server.Topics;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The calls on topics, for the memory store and for a gateway.</summary>
internal sealed class PubsubService
{
    public const string PublishPath = "/cache_client.pubsub.Pubsub/Publish";
    public const string SubscribePath = "/cache_client.pubsub.Pubsub/Subscribe";

    /// <summary>
    /// The key of the request metadata that sets the start of a subscription. The only valid value makes the subscription start after the newest message.
    /// </summary>
    public const string FromHeader = "topic-from";

    /// <summary>The key of the response metadata that contains the position of the first message that the subscriber can receive.</summary>
    public const string PositionHeader = "topic-position";

    private const string FromNow = "now";

    public static readonly IReadOnlyList<string> Paths = [PublishPath, SubscribePath];

    private readonly TopicHost _topics;
    private readonly TopicGuard _guard;
    private readonly bool _injectsFaults;

    private PubsubService(TopicHost topics, TopicGuard guard, bool injectsFaults)
    {
        _topics = topics;
        _guard = guard;
        _injectsFaults = injectsFaults;
    }

    public static void Map(RpcRouter router, TopicHost topics, TopicGuard guard, bool injectsFaults)
    {
        PubsubService service = new(topics, guard, injectsFaults);
        router.MapUnary(PublishPath, (request, _, context) => service.PublishAsync(request, context));
        router.MapPush(SubscribePath, service.SubscribeAsync);
    }

    private async ValueTask PublishAsync(ReadOnlySequence<byte> request, RpcContext context)
    {
        CallError? error = PublishFields.Decode(FieldMemory.Whole(request), out TopicKey topic, out ReadOnlyMemory<byte> value, out int valueBytes);
        error ??= TopicGuard.Check(context, Rights.Write, topic);
        TopicMessage message = new(value, valueBytes, TopicGuard.PublisherId(context));
        error ??= await _topics.Broker.PublishAsync(topic, message, context.Remaining).ConfigureAwait(false);
        if (error is not null)
        {
            CallRouting.Fail(context, error);
        }
    }

    private async ValueTask SubscribeAsync(ReadOnlySequence<byte> request, PushStream stream, RpcContext context)
    {
        CallError? error = SubscribeFields.Decode(FieldMemory.Whole(request).Span, out TopicKey topic, out TopicStart start)
            ?? ReadFrom(context, ref start)
            ?? TopicGuard.Check(context, Rights.Read, topic);
        TopicReader? reader = null;
        TopicFeed? feed = null;
        while (error is null && reader is null)
        {
            (feed, error) = await _topics.Broker.FollowAsync(topic, context.Remaining).ConfigureAwait(false);
            error ??= _topics.Draining.IsCancellationRequested ? TopicErrors.Draining : feed!.Open(start, _topics.Clock, out reader);
        }

        if (error is not null)
        {
            CallRouting.Fail(context, error);
            return;
        }

        try
        {
            _guard.Watch(context, reader!, topic);
            await RunAsync(reader!, stream, context).ConfigureAwait(false);
        }
        finally
        {
            feed!.Leave(reader!);
            _guard.Forget(context, reader!);
        }

        if (reader!.Error is { } ended)
        {
            CallRouting.Fail(context, ended);
        }
    }

    private async Task RunAsync(TopicReader reader, PushStream stream, RpcContext context)
    {
        if (_injectsFaults && FaultScript.Parse(context.RequestHeaders) is { StreamError: { } injected } script
            && script.StreamErrorRpcs.Contains(FaultInterceptor.KebabName(SubscribePath)))
        {
            reader.InjectedError = injected;
            reader.InjectedAfter = script.StreamErrorMessageLimit;
        }

        if (_topics.Draining.IsCancellationRequested)
        {
            reader.End(TopicErrors.Draining, isAtOnce: false);
        }

        context.AddHeader(PositionHeader, reader.Position.ToString());
        CancellationToken deadline = context.Timeout is null ? CancellationToken.None : context.Cancelled;
        await using (deadline.UnsafeRegister(static reader => ((TopicReader)reader!).End(TopicErrors.PastDeadline, isAtOnce: true), reader))
        {
            await reader.RunAsync(stream, _topics.Everyone).ConfigureAwait(false);
        }
    }

    private static CallError? ReadFrom(RpcContext context, ref TopicStart start)
    {
        string from = context.RequestHeaders[FromHeader];
        if (from.Length == 0)
        {
            return null;
        }

        if (from != FromNow)
        {
            return TopicErrors.UnknownFrom;
        }

        if (start.ResumeAt != 0 || start.Page != 0)
        {
            return TopicErrors.FromAndResume;
        }

        start = start with { FromNow = true };
        return null;
    }
}
