using Larder.Server.Calls;
using Larder.Server.Near;
using Larder.Server.Pipeline;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <content>What a near stream of a front is told, and when its lease is renewed.</content>
internal sealed partial class RemoteStream : IThreadPoolWorkItem
{
    // A get whose answer may not be kept.
    private const uint NoTicket = uint.MaxValue;

    private readonly NearRenewals _renewals = new();
    private NearStream? _near;
    private int _isPushQueued;

    /// <summary>Something waits that the client is to be told. On any thread, which may hold the hub's locks: it is sent on another.</summary>
    public void SignalNear()
    {
        if (Interlocked.Exchange(ref _isPushQueued, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    /// <summary>Sends what waits; while a flush waits for the client, the end of that does.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        Interlocked.Exchange(ref _isPushQueued, 0);
        lock (_gate)
        {
            Flush();
        }
    }

    /// <summary>The stream is a near stream from now on.</summary>
    public void OpenNear(NearStream near)
    {
        lock (_gate)
        {
            _near = near;
        }

        _front.Near.Add(this);
    }

    /// <summary>It is told nothing more, and answered no renewal.</summary>
    public void CloseNear() => _front.Near.Remove(this);

    /// <summary>Answers a message of the stream's own that is made already.</summary>
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

    /// <summary>Renews the lease once the nodes have said all that they had said before.</summary>
    /// <returns>As <see cref="Run"/>.</returns>
    public bool RenewNear(uint id)
    {
        lock (_gate)
        {
            // Under the gate: what is confirmed finds it there.
            if (_renewals.Add(id, _front.Near.Confirm()) is { } oldest && !_hasEnded)
            {
                _replies.WriteError(oldest, FleetErrors.NotRenewed);
                EmitIfFull();
                JoinBatch();
            }
        }

        return !IsFull;
    }

    /// <summary>The nodes have: renewals up to this number are answered, after all that waits.</summary>
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
                // There is no memory for what waits: the stream is over.
                _abort();
            }

            Flush();
        }
    }

    // First the note, then the reading: a change between the two takes the note, and its ticket comes before the answer, or with it.
    private CallError? BeginNearGet(ReadOnlySpan<byte> request, RemoteCommand command, NearStream near)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        RemoteCache cache = command.Target.Cache;
        command.Ticket = KeyTicket.Of(command.BeginTrackedGet(cache.Prefix, key));

        // The directory after the note: a flush that found nothing noted is known by now, and what is read is from before it.
        if (!_front.Near.Hub.TryNote(cache.Id, command.Ticket, near) || !cache.IsStill(_front.Directory.Find(cache.Name)))
        {
            command.Ticket = NoTicket;
        }

        return null;
    }

    // Under the gate: what waits goes into the present message, or into messages before it.
    private void WriteNear()
    {
        while (_near is not null && _near.WriteTo(_replies))
        {
            EmitMessage();
        }
    }

    private void WriteNearHit(RemoteCommand command, ReadOnlySpan<byte> value)
    {
        // The node's milliseconds are rounded up.
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
