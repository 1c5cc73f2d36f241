using Larder.Wire;

namespace Larder.Client.Topics;

/// <summary>A connection that subscriptions share. Its mutable state is guarded by the lock of its <see cref="SubscriptionChannels"/>.</summary>
internal sealed class SubscriptionChannel(SubscriptionGateway gateway, RpcChannel channel)
{
    public SubscriptionGateway Gateway => gateway;

    public RpcChannel Channel => channel;

    /// <summary>Gets or sets the number of subscriptions assigned to this connection, whether connected or not.</summary>
    public int Subscriptions { get; set; }

    /// <summary>
    /// Gets the maximum number of subscriptions on this connection (LIM-6). It is the server's limit for streams, but at most 100. Until the server has sent
    /// its limit, the maximum is 100.
    /// </summary>
    public int Places => Math.Clamp(channel.StreamLimit ?? ChannelPoolOptions.StreamsPerChannel, 1, ChannelPoolOptions.StreamsPerChannel);
}
