using Larder.Redis;
using Larder.Server.Near;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>
/// The near streams of a front: what the nodes say is changed is told to them, and their leases are renewed once nothing that was said before can be missing
/// (NEAR-40 to 42). Safe from any thread.
/// </summary>
internal sealed class FleetNear : IKeyWatch
{
    private readonly RedisStore _store;
    private readonly FleetDirectory _directory;
    private readonly Action<Exception> _onFault;
    private readonly Lock _gate = new();

    // Under the gate: the streams, the number that was confirmed last and is not dealt with, and whether somebody is at it.
    private readonly List<RemoteStream> _streams = [];
    private long _confirmed;
    private bool _isRenewing;

    private volatile IChangeWatch? _changes;

    /// <param name="store">The cluster.</param>
    /// <param name="directory">The caches: flushes are heard of by it.</param>
    /// <param name="onFault">Told of what nothing expects.</param>
    public FleetNear(RedisStore store, FleetDirectory directory, Action<Exception> onFault)
    {
        _store = store;
        _directory = directory;
        _onFault = onFault;
        Hub = new NearHub(Watch);
        directory.Lost = cache => _changes?.Cleared(cache);
    }

    /// <summary>Whom a change is told.</summary>
    public NearHub Hub { get; }

    /// <summary>Has a stream's leases renewed from now on.</summary>
    public void Add(RemoteStream stream)
    {
        lock (_gate)
        {
            _streams.Add(stream);
        }
    }

    /// <summary>The stream has ended.</summary>
    public void Remove(RemoteStream stream)
    {
        lock (_gate)
        {
            _streams.Remove(stream);
        }
    }

    /// <summary>
    /// Asks for what a renewal needs. The stream is told by <see cref="RemoteStream.OnConfirmed"/> with the number that this returns, or a higher one.
    /// </summary>
    public long Confirm() => _store.Confirm();

    /// <inheritdoc/>
    public void Invalidated(ReadOnlySpan<byte> key) => _changes?.Changed(KeyTicket.Of(key));

    /// <inheritdoc/>
    public void Lost()
    {
        if (_changes is not null)
        {
            Hub.ClearAll();
        }
    }

    /// <inheritdoc/>
    public void Confirmed(long number)
    {
        lock (_gate)
        {
            _confirmed = number;
            if (_isRenewing)
            {
                return;
            }

            _isRenewing = true;
        }

        _ = RenewAsync();
    }

    private void Watch(IChangeWatch? changes)
    {
        _changes = changes;
        _store.Watch(changes is null ? null : this);
    }

    private async Task RenewAsync()
    {
        while (TakeConfirmed() is > 0 and var number)
        {
            // A flush leaves the keys at the nodes as they are: the directory tells of it, read once more.
            if (await IsDirectoryReadAsync().ConfigureAwait(false))
            {
                Renew(number);
            }
            else
            {
                _store.Confirm();
            }
        }
    }

    // 0 where there is nothing more to deal with: whoever is confirmed next begins anew.
    private long TakeConfirmed()
    {
        lock (_gate)
        {
            long number = _confirmed;
            _confirmed = 0;
            _isRenewing = number > 0;
            return number;
        }
    }

    private async Task<bool> IsDirectoryReadAsync()
    {
        try
        {
            await _directory.BeatAsync().ConfigureAwait(false);
            return true;
        }
        catch (FleetQueryException)
        {
            // Its node does not answer: no lease is renewed before it does.
            return false;
        }
#pragma warning disable CA1031 // Without it no lease would be renewed again.
        catch (Exception fault)
#pragma warning restore CA1031
        {
            _onFault(fault);
            return false;
        }
    }

    private void Renew(long number)
    {
        RemoteStream[] streams;
        lock (_gate)
        {
            streams = [.. _streams];
        }

        Hub.Settle();
        foreach (RemoteStream stream in streams)
        {
            stream.OnConfirmed(number);
        }
    }
}
