using System.Net;
using Larder.Client.Fronts;

namespace Larder.Client.Topics;

/// <summary>A server that subscriptions may go to.</summary>
internal sealed class SubscriptionFront(FrontAddress address, IPAddress? at, CallHeaders headers, SubscriptionGate gate)
{
    public FrontAddress Address => address;

    /// <summary>The one of its name's addresses that it stands for; null: whatever its host is.</summary>
    public IPAddress? At => at;

    public CallHeaders Headers => headers;

    public SubscriptionGate Gate => gate;

    /// <summary>Its connections. Under the lock of the <see cref="SubscriptionChannels"/>.</summary>
    public List<SubscriptionChannel> Channels { get; } = [];

    /// <summary>Subscriptions on all of them. Under that lock.</summary>
    public int Subscriptions => Channels.Sum(static channel => channel.Subscriptions);
}
