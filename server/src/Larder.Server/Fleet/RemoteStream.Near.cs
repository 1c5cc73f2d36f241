using Larder.Server.Calls;
using Larder.Server.Near;
using Larder.Server.Pipeline;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <content>The near-stream part: sends invalidations to the client and renews its lease.</content>
internal sealed partial class RemoteStream : IThreadPoolWorkItem
{
    // Marks a get whose value the client must not cache.
    private const uint NoTicket = uint.MaxValue;

    private readonly NearRenewals _renewals = new();
    private NearStream? _near;
    private int _isPushQueued;

    /// <summary>Schedules a push to the client. May be called on any thread, also under the hub's locks, so another thread sends it.</summary>
    public void SignalNear()
    {
        if (Interlocked.Exchange(ref _isPushQueued, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    /// <summary>Sends what is pending. If a flush is already waiting for the client, its completion sends the rest.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        Interlocked.Exchange(ref _isPushQueued, 0);
        lock (_gate)
        {
            Flush();
        }
    }

    /// <summary>Turns the stream into a near stream.</summary>
    public void OpenNear(NearStream near)
    {
        lock (_gate)
        {
            _near = near;
        }

        _gateway.Near.Add(this);
    }

    /// <summary>Stops invalidations and renewals for the stream.</summary>
    public void CloseNear() => _gateway.Near.Remove(this);

    /// <summary>Writes an encoded result of the stream's own.</summary>
    /// <returns>As <see cref="Run"/>.</returns>
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

    /// <summary>Renews the lease once the nodes have sent all invalidations up to now.</summary>
    /// <returns>As <see cref="Run"/>.</returns>
    public bool RenewNear(uint id)
    {
        lock (_gate)
        {
            // Under the lock, so that the confirmation finds the renewal in the queue.
            if (_renewals.Add(id, _gateway.Near.Confirm()) is { } oldest && !_hasEnded)
            {
                _replies.WriteError(oldest, FleetErrors.NotRenewed);
                EmitIfFull();
                JoinBatch();
            }
        }

        return !IsFull;
    }

    /// <summary>Called when the nodes have confirmed. Completes the renewals up to this number, after all pending invalidations.</summary>
    public void OnConfirmed(long number)
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
        }
    }

    // Registers the stream for changes of the key before reading. A change in between uses up the registration, and its ticket arrives before the response or
    // with it.
    private CallError? BeginNearGet(ReadOnlySpan<byte> request, RemoteCommand command, NearStream near)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        RemoteCache cache = command.Target.Cache;
        command.Ticket = KeyTicket.Of(command.BeginTrackedGet(cache.Prefix, key));

        // Check the directory after registering. A flush that found no registration is in the directory by now; the value may then be from before the flush and
        // must not be cached.
        if (!_gateway.Near.Hub.TryNote(cache.Id, command.Ticket, near) || !cache.IsStill(_gateway.Directory.Find(cache.Name)))
        {
            command.Ticket = NoTicket;
        }

        return null;
    }

    // Must hold the lock. Writes pending invalidations to the current message, or to messages before it.
    private void WriteNear()
    {
        while (_near is not null && _near.WriteTo(_replies))
        {
            EmitMessage();
        }
    }

    private void WriteNearHit(RemoteCommand command, ReadOnlySpan<byte> value)
    {
        // The node rounds the milliseconds up.
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
