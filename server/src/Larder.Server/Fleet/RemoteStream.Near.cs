using Larder.Server.Calls;
using Larder.Server.Near;
using Larder.Server.Pipeline;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <content>The methods of near streams, which send invalidations to the client and renew its lease.</content>
internal sealed partial class RemoteStream : IThreadPoolWorkItem
{
    // Marks a get whose value the client must not cache.
    private const uint NoTicket = uint.MaxValue;

    private readonly NearRenewals _renewals = new();
    private NearStream? _near;
    private int _isPushQueued;

    /// <summary>Schedules a push to the client. May be called on any thread, even under the hub's locks. Another thread therefore sends the push.</summary>
    public void SignalNear()
    {
        if (Interlocked.Exchange(ref _isPushQueued, 1) == 0)
        {
            try
            {
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            }
            catch (OutOfMemoryException)
            {
                // The next signal or message sends the notifications.
                Interlocked.Exchange(ref _isPushQueued, 0);
            }
        }
    }

    /// <summary>Sends the pending output. If a flush is already waiting for the client, the rest is sent when that flush completes.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        Interlocked.Exchange(ref _isPushQueued, 0);
        lock (_gate)
        {
            Flush();
        }
    }

    /// <summary>Makes this stream a near stream.</summary>
    public void OpenNear(NearStream near)
    {
        lock (_gate)
        {
            _near = near;
        }
    }

    /// <summary>Stops the invalidations and renewals of this stream.</summary>
    public void CloseNear() => _gateway.Near.Remove(this);

    /// <summary>Writes an encoded result that belongs to the stream itself, not to a call.</summary>
    /// <returns>The same as <see cref="Run"/>.</returns>
    public bool Answer(uint id, int field, ReadOnlySpan<byte> message)
    {
        lock (_gate)
        {
            if (!_hasEnded)
            {
                _replies.WriteResult(id, field, message);
                EmitIfFull();
                JoinBatch();
            }
        }

        return !IsFull;
    }

    /// <summary>Queues a renewal of the lease. The renewal completes when the nodes have confirmed that they have sent all earlier invalidations.</summary>
    /// <returns>The same as <see cref="Run"/>.</returns>
    public bool RenewNear(uint id)
    {
        lock (_gate)
        {
            _gateway.Near.Hub.Trim(_near!);

            // Requests the confirmation under the lock, so that the renewal is in the queue when the confirmation arrives. The stream must be in the list
            // before that.
            _gateway.Near.Add(this);
            if (_renewals.Add(id, _gateway.Near.Confirm()) is { } oldest && !_hasEnded)
            {
                _replies.WriteError(oldest, FleetErrors.NotRenewed);
                EmitIfFull();
                JoinBatch();
            }
        }

        return !IsFull;
    }

    /// <summary>
    /// Called when all confirmations up to <paramref name="number"/> have arrived. Writes the pending invalidations, and then completes the renewals that wait
    /// for these confirmations. Returns whether more renewals wait.
    /// </summary>
    public bool OnConfirmed(long number)
    {
        lock (_gate)
        {
            try
            {
                while (!_hasEnded && _renewals.TryTake(number, out uint id))
                {
                    WriteNear();
                    _near!.Figures.Renewed();
                    _replies.WriteResult(id, PipelineOperation.NearRenewField, []);
                }
            }
            catch (RpcException)
            {
                // There is not enough memory for the pending invalidations, so the stream is aborted.
                _abort();
            }

            Flush();
            return !_hasEnded && _renewals.HasAny;
        }
    }

    // Registers the stream for changes of the key before the value is read. If the key changes in between, the registration is used up, and the client receives
    // the key's ticket before or together with the response.
    private CallError? BeginNearGet(ReadOnlySpan<byte> request, RemoteCommand command, NearStream near)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        RemoteCache cache = command.Target.Cache;
        command.Ticket = KeyTicket.Of(command.BeginTrackedGet(cache.Prefix, key));
        command.CheckTags(key);

        // Checks the directory after the registration. The stream is not notified of a flush or a removal of tags before the registration, but the directory
        // already contains it. The value may then be from before and must not be cached.
        if (!_gateway.Near.Hub.TryNote(cache.Id, command.Ticket, near)
            || _gateway.Directory.Find(cache.Name) is not { } now
            || !cache.IsStill(now)
            || now.Removals != cache.Removals)
        {
            command.Ticket = NoTicket;
        }

        return null;
    }

    // Writes the invalidations of all changes that were reported before this call into the current message. If they do not fit, emits the message and continues
    // with the next one. The caller must hold the lock.
    private void WriteNear()
    {
        if (_near is not null)
        {
            _gateway.Near.Hub.Settle();
        }

        while (_near is not null && _near.WriteTo(_replies))
        {
            EmitMessage();
        }
    }

    private void WriteNearHit(RemoteCommand command, ReadOnlySpan<byte> value)
    {
        // The node rounds the remaining milliseconds up, so the real TTL may be up to 1 ms shorter.
        long leftMs = command.TtlLeftMs - 1;
        if (leftMs <= 0 || command.Ticket == NoTicket)
        {
            _replies.WriteHit(command.Id, PipelineCalls.GetField, value);
            return;
        }

        _near!.Figures.Noted();
        _replies.WriteNearHit(command.Id, PipelineCalls.GetField, value, command.Ticket, (uint)Math.Min(leftMs, uint.MaxValue));
    }
}
