using System.Net;
using Larder.Client.Fronts;
using Larder.Wire;

namespace Larder.Client.Topics;

/// <summary>
/// The connections of a client's subscriptions: their own, so that they take no place of a call's, opened as they are needed and closed with the last
/// subscription on them.
/// </summary>
internal sealed class SubscriptionChannels(
    Func<IReadOnlyList<(FrontAddress Address, IPAddress? At, bool IsUp)>> fronts,
    Func<FrontAddress, IPAddress?, SubscriptionFront> describe,
    Func<SubscriptionFront, RpcChannel> create,
    Func<double> random)
{
    private readonly Lock _lock = new();
    private readonly List<SubscriptionFront> _known = [];

    /// <summary>Connections that are open.</summary>
    public int Connected
    {
        get
        {
            lock (_lock)
            {
                return _known.Sum(static front => front.Channels.Count(static channel => channel.Channel.IsConnected));
            }
        }
    }

    /// <summary>Connections that are held, open or not.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _known.Sum(static front => front.Channels.Count);
            }
        }
    }

    /// <summary>
    /// A place for one subscription, at another front than <paramref name="failed"/> where there is one. Given back by <see cref="Release"/>, once.
    /// </summary>
    public SubscriptionChannel Take(SubscriptionFront? failed)
    {
        lock (_lock)
        {
            return TakeAt(Choose(failed));
        }
    }

    /// <summary>
    /// A place that was taken, once its connection is there; another one of the same front where the server allows fewer streams than there are subscriptions:
    /// one too many would wait for another's end.
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
            return TakeAt(channel.Front);
        }
    }

    /// <summary>Gives a place back; the connection is closed with its last.</summary>
    public void Release(SubscriptionChannel channel)
    {
        lock (_lock)
        {
            if (--channel.Subscriptions > 0)
            {
                return;
            }

            channel.Front.Channels.Remove(channel);
        }

        // What is closed here is a socket: it does not wait for the server.
        _ = channel.Channel.DisposeAsync().AsTask();
    }

    /// <summary>Closes all connections, whoever is on them.</summary>
    public async ValueTask CloseAsync()
    {
        SubscriptionChannel[] channels;
        lock (_lock)
        {
            channels = [.. _known.SelectMany(static front => front.Channels)];
        }

        foreach (SubscriptionChannel channel in channels)
        {
            await channel.Channel.DisposeAsync().ConfigureAwait(false);
        }
    }

    // Under the lock.
    private SubscriptionChannel TakeAt(SubscriptionFront front)
    {
        SubscriptionChannel? channel = front.Channels.Find(static one => one.Subscriptions < one.Places);
        if (channel is null)
        {
            channel = new SubscriptionChannel(front, create(front));
            front.Channels.Add(channel);
        }

        channel.Subscriptions++;
        return channel;
    }

    // The fronts that are up, if any is; of those another than the one that failed, if there is another; of two drawn the one with fewer (FRONT-5 to FRONT-7).
    private SubscriptionFront Choose(SubscriptionFront? failed)
    {
        IReadOnlyList<(FrontAddress Address, IPAddress? At, bool IsUp)> all = fronts();
        List<(FrontAddress Address, IPAddress? At, bool IsUp)> others =
            [.. all.Where(one => failed is null || one.Address != failed.Address || !Equals(one.At, failed.At))];
        List<(FrontAddress Address, IPAddress? At, bool IsUp)> candidates = others.Exists(static one => one.IsUp) ? others.FindAll(static one => one.IsUp)
            : others.Count > 0 ? others
            : [.. all];
        // What is known of a front that is still there is kept: it may be why nothing connects to it.
        _known.RemoveAll(known => known.Channels.Count == 0 && !all.Any(one => one.Address == known.Address && Equals(one.At, known.At)));
        (int one, int other) = FrontChoice.Draw(candidates.Count, random(), random());
        SubscriptionFront first = Known(candidates[one].Address, candidates[one].At);
        SubscriptionFront second = Known(candidates[other].Address, candidates[other].At);
        SubscriptionFront chosen = FrontChoice.LessLoaded(first, first.Subscriptions, second, second.Subscriptions);
        if (!_known.Contains(chosen))
        {
            _known.Add(chosen);
        }

        return chosen;
    }

    private SubscriptionFront Known(FrontAddress address, IPAddress? at) =>
        _known.Find(front => front.Address == address && Equals(front.At, at)) ?? describe(address, at);
}
