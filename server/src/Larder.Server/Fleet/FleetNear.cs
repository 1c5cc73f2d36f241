using Larder.Redis;
using Larder.Server.Near;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>
/// The near streams of a gateway. Forwards the nodes' invalidations to the streams. Renews the leases of the streams when it is certain that all earlier
/// invalidations have arrived (NEAR-40 to NEAR-42). Thread-safe.
/// </summary>
internal sealed class FleetNear : IKeyWatch
{
    private readonly RedisStore _store;
    private readonly FleetDirectory _directory;
    private readonly Action<Exception> _onFault;
    private readonly Lock _gate = new();

    // The lock guards these three fields. _waiting contains the streams with waiting renewals. _confirmed is the highest confirmed number that has not been
    // processed, or 0. _isRenewing is true while confirmations are being processed.
    private readonly HashSet<RemoteStream> _waiting = [];
    private long _confirmed;
    private bool _isRenewing;

    private volatile IChangeWatch? _changes;

    /// <param name="store">The cluster.</param>
    /// <param name="directory">The directory, which reports flushes.</param>
    /// <param name="maxStreams">The maximum number of near streams.</param>
    /// <param name="onFault">Receives unexpected exceptions.</param>
    public FleetNear(RedisStore store, FleetDirectory directory, int maxStreams, Action<Exception> onFault)
    {
        _store = store;
        _directory = directory;
        _onFault = onFault;
        Hub = new NearHub(Watch, maxStreams);
        directory.Lost = cache => _changes?.Cleared(cache);
    }

    /// <summary>Gets the hub that receives the changes.</summary>
    public NearHub Hub { get; }

    /// <summary>Registers a stream whose lease is to be renewed at the next confirmation.</summary>
    public void Add(RemoteStream stream)
    {
        lock (_gate)
        {
            _waiting.Add(stream);
        }
    }

    /// <summary>Removes a stream that has ended.</summary>
    public void Remove(RemoteStream stream)
    {
        lock (_gate)
        {
            _waiting.Remove(stream);
        }
    }

    /// <summary>
    /// Requests a confirmation from the nodes. A lease is renewed only after such a confirmation. When the confirmation has arrived,
    /// <see cref="RemoteStream.OnConfirmed"/> is called with the returned number or a higher number.
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
            try
            {
                // A flush does not change the keys on the nodes. Only the directory reports it, so the directory is read again.
                if (await IsDirectoryReadAsync().ConfigureAwait(false))
                {
                    Renew(number);
                }
                else
                {
                    _store.Confirm();
                }
            }
#pragma warning disable CA1031 // If the exception escaped, no lease would be renewed again. The next renewal requests the next confirmation.
            catch (Exception fault)
#pragma warning restore CA1031
            {
                _onFault(fault);
            }
        }
    }

    // Returns 0 if nothing is left to process. After that, the next confirmation starts the processing again.
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
            await _directory.SendHeartbeatAsync().ConfigureAwait(false);
            return true;
        }
        catch (FleetQueryException)
        {
            // The node of the directory does not respond. Until it does, no lease is renewed.
            return false;
        }
#pragma warning disable CA1031 // If the exception escaped, no lease would be renewed again.
        catch (Exception fault)
#pragma warning restore CA1031
        {
            _onFault(fault);
            return false;
        }
    }

    private void Renew(long number)
    {
        Hub.Settle();
        RemoteStream[] streams;
        lock (_gate)
        {
            streams = [.. _waiting];
        }

        foreach (RemoteStream stream in streams)
        {
            // The stream may add itself again at any time, so it is removed before.
            Remove(stream);
            if (stream.OnConfirmed(number))
            {
                Add(stream);
            }
        }
    }
}
