using System.Buffers;
using Larder.Client.Operations;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Client.Topics;

/// <summary>The message SubscribeRequest of pubsub.proto, which starts a subscription.</summary>
internal readonly struct SubscribeRequest(CacheBytes cache, CacheBytes topic, SubscriptionStartRequest ask)
{
    private const int CacheField = 1;
    private const int TopicField = 2;
    private const int ResumeAtField = 3;
    private const int PageField = 4;

    /// <summary>Gets the RPC method.</summary>
    public static RpcMethod<SubscribeRequest, SubscriptionMessage> Method { get; } =
        new("/cache_client.pubsub.Pubsub/Subscribe", new Codec(), SubscriptionMessage.Codec);

    private readonly CacheBytes _cache = cache;
    private readonly CacheBytes _topic = topic;
    private readonly SubscriptionStartRequest _ask = ask;

    private sealed class Codec : MessageCodec<SubscribeRequest>
    {
        public override int Measure(SubscribeRequest message) => Field.Measure(CacheField, message._cache) + Field.Measure(TopicField, message._topic)
            + ProtoWriter.VarintFieldLength(ResumeAtField, message._ask.ResumeAt) + ProtoWriter.VarintFieldLength(PageField, message._ask.Page);

        public override void Encode(SubscribeRequest message, IBufferWriter<byte> destination)
        {
            int length = Measure(message);
            ProtoWriter writer = new(destination.GetSpan(length)[..length]);
            Field.Write(ref writer, CacheField, message._cache);
            Field.Write(ref writer, TopicField, message._topic);
            writer.WriteVarintField(ResumeAtField, message._ask.ResumeAt);
            writer.WriteVarintField(PageField, message._ask.Page);
            destination.Advance(length);
        }

        public override SubscribeRequest Decode(in ReadOnlySequence<byte> payload) => throw new NotSupportedException("A client does not read requests.");
    }
}
