using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

/// <summary>Calls the two rpcs for topics in the same way as any gRPC client.</summary>
internal static class TopicCalls
{
    public static async Task PublishAsync(
        this RpcChannel channel,
        string topic,
        ByteString value,
        string cache = RunningServer.Cache,
        RpcHeaders? headers = null) =>
        await channel.PublishAsync(new PublishRequest { CacheName = cache, Topic = topic, Value = new TopicValue { Binary = value } }, headers);

    public static async Task PublishAsync(this RpcChannel channel, string topic, string text, string cache = RunningServer.Cache, RpcHeaders? headers = null) =>
        await channel.PublishAsync(new PublishRequest { CacheName = cache, Topic = topic, Value = new TopicValue { Text = text } }, headers);

    public static async Task PublishAsync(this RpcChannel channel, PublishRequest request, RpcHeaders? headers = null) =>
        await channel.UnaryAsync(
            new RpcMethod<IMessage, PublishResponse>("/cache_client.pubsub.Pubsub/Publish", new AnyMessageCodec(), new ProtobufCodec<PublishResponse>()),
            request,
            headers ?? RpcHeaders.Empty,
            RunningServer.Patience,
            CancellationToken.None);

    public static TopicStream Subscribe(
        this RpcChannel channel,
        string topic,
        ulong resumeAt = 0,
        ulong page = 0,
        string cache = RunningServer.Cache,
        RpcHeaders? headers = null) =>
        channel.Subscribe(new SubscribeRequest { CacheName = cache, Topic = topic, ResumeAtTopicSequenceNumber = resumeAt, SequencePage = page }, headers);

    public static TopicStream Subscribe(this RpcChannel channel, SubscribeRequest request, RpcHeaders? headers = null)
    {
        CancellationTokenSource left = new();
        IAsyncEnumerable<SubscriptionItem> items = channel.ServerStreamAsync(
            new RpcMethod<IMessage, SubscriptionItem>("/cache_client.pubsub.Pubsub/Subscribe", new AnyMessageCodec(), new ProtobufCodec<SubscriptionItem>()),
            request,
            headers ?? RpcHeaders.Empty,
            timeout: null,
            left.Token);
        return new TopicStream(items.GetAsyncEnumerator(left.Token), left);
    }

    /// <summary>Opens a subscription and waits for its first message, a heartbeat.</summary>
    public static async Task<TopicStream> SubscribedAsync(
        this RpcChannel channel,
        string topic,
        ulong resumeAt = 0,
        ulong page = 0,
        string cache = RunningServer.Cache,
        RpcHeaders? headers = null)
    {
        TopicStream stream = channel.Subscribe(topic, resumeAt, page, cache, headers);
        Assert.Equal(SubscriptionItem.KindOneofCase.Heartbeat, (await stream.NextAsync()).KindCase);
        return stream;
    }
}
