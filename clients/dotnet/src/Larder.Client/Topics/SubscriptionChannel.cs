using Larder.Wire;

namespace Larder.Client.Topics;

/// <summary>A connection that subscriptions share. What changes of it changes under the lock of its <see cref="SubscriptionChannels"/>.</summary>
internal sealed class SubscriptionChannel(SubscriptionFront front, RpcChannel channel)
{
    public SubscriptionFront Front => front;

    public RpcChannel Channel => channel;

    /// <summary>Subscriptions on it, connected or not.</summary>
    public int Subscriptions { get; set; }

    /// <summary>How many it has place for: as many as the server allows streams, once that is known, and 100 at most (LIM-6).</summary>
    public int Places => Math.Clamp(channel.StreamLimit ?? ChannelPoolOptions.StreamsPerChannel, 1, ChannelPoolOptions.StreamsPerChannel);
}
