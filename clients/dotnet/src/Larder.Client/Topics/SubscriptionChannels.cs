using System.Net;
using Larder.Client.Gateways;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Topics;

/// <summary>
/// The connections of a client's subscriptions. They are separate from the connections of calls. A connection is opened when a subscription needs it, and
/// closed when its last subscription ends.
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

    /// <summary>Gets the number of connections, including connections that are not open.</summary>
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
    /// Reserves a slot on a connection for one subscription, if possible at a different gateway than <paramref name="failed"/>. The caller must return the slot
    /// exactly once with <see cref="Release"/>.
    /// </summary>
    public SubscriptionChannel Take(SubscriptionGateway? failed)
    {
        lock (_lock)
        {
            return TakeAt(Choose(failed));
        }
    }

    /// <summary>
    /// Confirms a slot after its connection has opened. If the connection has more subscriptions than the server permits, returns a slot on another connection
    /// to the same gateway instead. On the full connection, the subscription would have to wait until another subscription ends.
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

    /// <summary>Returns a slot. Closes the connection if this was its last slot in use.</summary>
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

        // The task is not awaited, because closing only closes a socket and does not wait for the server.
        _ = channel.Channel.DisposeAsync().AsTask();
    }

    /// <summary>Returns whether there is another gateway than the given one.</summary>
    public bool HasOther(SubscriptionGateway gateway) => gateways().Any(one => one.Address != gateway.Address || !Equals(one.At, gateway.At));

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
            await channel.Channel.DisposeAsync().On(PoolQueue.Work);
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

    // Chooses a gateway. Avoids the failed gateway if there is another gateway, and prefers gateways that are up. Of two gateways chosen at random, takes the
    // gateway with fewer subscriptions (GATEWAY-5 to GATEWAY-7).
    private SubscriptionGateway Choose(SubscriptionGateway? failed)
    {
        IReadOnlyList<(GatewayAddress Address, IPAddress? At, bool IsUp)> all = gateways();
        List<(GatewayAddress Address, IPAddress? At, bool IsUp)> others =
            [.. all.Where(one => failed is null || one.Address != failed.Address || !Equals(one.At, failed.At))];
        List<(GatewayAddress Address, IPAddress? At, bool IsUp)> candidates = others.Exists(static one => one.IsUp) ? others.FindAll(static one => one.IsUp)
            : others.Count > 0 ? others
            : [.. all];
        // Removes gateways that no longer exist. The state of an existing gateway is kept even if it has no connections, because the state may contain the last
        // failure to connect.
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
