using System.Net;
using Larder.Client.Gateways;
using Larder.Wire;

namespace Larder.Client.Topics;

/// <summary>
/// The connections of a client's subscriptions. They are separate from those of calls, opened when needed, and closed with their last subscription.
/// </summary>
internal sealed class SubscriptionChannels(
    Func<IReadOnlyList<(GatewayAddress Address, IPAddress? At, bool IsUp)>> gateways,
    Func<GatewayAddress, IPAddress?, SubscriptionGateway> describe,
    Func<SubscriptionGateway, RpcChannel> create,
    Func<double> random)
{
    private readonly Lock _lock = new();
    private readonly List<SubscriptionGateway> _known = [];

    /// <summary>Gets the number of open connections.</summary>
    public int Connected
    {
        get
        {
            lock (_lock)
            {
                return _known.Sum(static gateway => gateway.Channels.Count(static channel => channel.Channel.IsConnected));
            }
        }
    }

    /// <summary>Gets the number of connections, open or not.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _known.Sum(static gateway => gateway.Channels.Count);
            }
        }
    }

    /// <summary>
    /// Reserves a slot for one subscription, if possible at another gateway than <paramref name="failed"/>. It must be returned once with
    /// <see cref="Release"/>.
    /// </summary>
    public SubscriptionChannel Take(SubscriptionGateway? failed)
    {
        lock (_lock)
        {
            return TakeAt(Choose(failed));
        }
    }

    /// <summary>
    /// Confirms a slot once its connection is open. If the server permits fewer streams than there are subscriptions, it returns a slot on another connection
    /// to the same gateway, because the excess subscription would wait for another to end.
    /// </summary>
    public SubscriptionChannel Settle(SubscriptionChannel channel)
    {
        lock (_lock)
        {
            if (channel.Subscriptions <= channel.Places)
            {
                return channel;
            }

            channel.Subscriptions--;
            return TakeAt(channel.Gateway);
        }
    }

    /// <summary>Returns a slot. The connection is closed with its last one.</summary>
    public void Release(SubscriptionChannel channel)
    {
        lock (_lock)
        {
            if (--channel.Subscriptions > 0)
            {
                return;
            }

            channel.Gateway.Channels.Remove(channel);
        }

        // Closing only closes a socket; it does not wait for the server.
        _ = channel.Channel.DisposeAsync().AsTask();
    }

    /// <summary>Closes all connections, even if subscriptions use them.</summary>
    public async ValueTask CloseAsync()
    {
        SubscriptionChannel[] channels;
        lock (_lock)
        {
            channels = [.. _known.SelectMany(static gateway => gateway.Channels)];
        }

        foreach (SubscriptionChannel channel in channels)
        {
            await channel.Channel.DisposeAsync().ConfigureAwait(false);
        }
    }

    // The caller must hold the lock.
    private SubscriptionChannel TakeAt(SubscriptionGateway gateway)
    {
        SubscriptionChannel? channel = gateway.Channels.Find(static one => one.Subscriptions < one.Places);
        if (channel is null)
        {
            channel = new SubscriptionChannel(gateway, create(gateway));
            gateway.Channels.Add(channel);
        }

        channel.Subscriptions++;
        return channel;
    }

    // Chooses among the gateways that are up, if there are any, and avoids the failed one if there is another. Of two chosen at random, it takes the one with
    // fewer subscriptions (GATEWAY-5 to GATEWAY-7).
    private SubscriptionGateway Choose(SubscriptionGateway? failed)
    {
        IReadOnlyList<(GatewayAddress Address, IPAddress? At, bool IsUp)> all = gateways();
        List<(GatewayAddress Address, IPAddress? At, bool IsUp)> others =
            [.. all.Where(one => failed is null || one.Address != failed.Address || !Equals(one.At, failed.At))];
        List<(GatewayAddress Address, IPAddress? At, bool IsUp)> candidates = others.Exists(static one => one.IsUp) ? others.FindAll(static one => one.IsUp)
            : others.Count > 0 ? others
            : [.. all];
        // The state of a gateway that still exists is kept: it may record why connecting fails.
        _known.RemoveAll(known => known.Channels.Count == 0 && !all.Any(one => one.Address == known.Address && Equals(one.At, known.At)));
        (int one, int other) = GatewayChoice.Draw(candidates.Count, random(), random());
        SubscriptionGateway first = Known(candidates[one].Address, candidates[one].At);
        SubscriptionGateway second = Known(candidates[other].Address, candidates[other].At);
        SubscriptionGateway chosen = GatewayChoice.LessLoaded(first, first.Subscriptions, second, second.Subscriptions);
        if (!_known.Contains(chosen))
        {
            _known.Add(chosen);
        }

        return chosen;
    }

    private SubscriptionGateway Known(GatewayAddress address, IPAddress? at) =>
        _known.Find(gateway => gateway.Address == address && Equals(gateway.At, at)) ?? describe(address, at);
}
