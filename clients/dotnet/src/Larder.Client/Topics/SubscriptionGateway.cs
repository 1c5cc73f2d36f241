using System.Net;
using Larder.Client.Gateways;

namespace Larder.Client.Topics;

/// <summary>A gateway to which subscriptions connect, with its connections.</summary>
internal sealed class SubscriptionGateway(GatewayAddress address, IPAddress? at, CallHeaders headers, SubscriptionGate gate)
{
    public GatewayAddress Address => address;

    /// <summary>Gets the resolved address that this object represents, or null to connect by host name.</summary>
    public IPAddress? At => at;

    public CallHeaders Headers => headers;

    public SubscriptionGate Gate => gate;

    /// <summary>Gets the connections to this gateway. Guarded by the lock of <see cref="SubscriptionChannels"/>.</summary>
    public List<SubscriptionChannel> Channels { get; } = [];

    /// <summary>Gets the number of subscriptions on all connections to this gateway. Guarded by the lock of <see cref="SubscriptionChannels"/>.</summary>
    public int Subscriptions => Channels.Sum(static channel => channel.Subscriptions);
}
