using Larder.Server.Calls;
using Larder.Server.Near;
using Larder.Store;

namespace Larder.Server.Pipeline;

/// <summary>
/// The near-cache operations and the notifications about changes. Notifications are sent with every outgoing message. Between turns, a thread-pool thread sends
/// them.
/// </summary>
internal sealed partial class PipelineStream : IThreadPoolWorkItem
{
    private NearStream? _near;
    private CancellationToken _cancelled;
    private int _isPushQueued;
    private volatile bool _isOver;
    private bool _hasSettled;

    /// <summary>Sends pending notifications if no thread holds the output gate. Otherwise the thread that holds the gate sends them.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        Interlocked.Exchange(ref _isPushQueued, 0);
        if (!_isOver && _gate!.TryEnter())
        {
            _ = PushAsync();
        }
    }

    private async Task PushAsync()
    {
        try
        {
            await FlushAsync(_cancelled).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // The client has disconnected, or there is no memory. The stream's own loop ends for the same reason.
        catch (Exception)
#pragma warning restore CA1031
        {
            _isOver = true;
            _abort();
        }
        finally
        {
            LeaveOutput();
        }
    }

    private void LeaveOutput()
    {
        _gate?.Leave();
        if (_remote is null && _near is { HasPending: true })
        {
            SignalNear();
        }
    }

    // The delivery of changes calls this method. It first adds a notification and then checks whether the gate is free. The thread that holds the gate first
    // leaves the gate and then checks for pending notifications. Full fences on both sides ensure that at least one of the two threads sees the change of the
    // other.
    private void SignalNear()
    {
        Interlocked.MemoryBarrier();
        if (!_isOver && _gate!.IsFree && Interlocked.Exchange(ref _isPushQueued, 1) == 0)
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

    private void RunNear(in PipelineOperation operation)
    {
        if (_access?.Refusal is { } over)
        {
            Fail(operation.Id, operation.CallField, over);
        }
        else if (operation.CallField == PipelineOperation.NearOpenField)
        {
            OpenNear(operation.Id);
        }
        else if (_near is null)
        {
            Fail(operation.Id, operation.CallField, NearAnswers.NoNearStream);
        }
        else if (!_near.IsOpen)
        {
            Fail(operation.Id, operation.CallField, NearAnswers.GaveWay);
        }
        else if (_remote is not null)
        {
            StopIf(!_remote.RenewNear(operation.Id));
        }
        else
        {
            RenewNear(operation.Id, _near);
        }
    }

    private void OpenNear(uint id)
    {
        if (_near is null)
        {
            if (_remote is null)
            {
                _gate ??= new OutputGate(isEntered: true);
            }

            NearStream near = new(_remote is null ? SignalNear : _remote.SignalNear, _user);
            if (!_host.Near.TryOpen(near))
            {
                Fail(id, PipelineOperation.NearOpenField, NearAnswers.TooMany);
                return;
            }

            _near = near;
            _remote?.OpenNear(near);
            if (_access is not null)
            {
                _access.Changed = near.Clear;
            }
        }
        else if (!_near.IsOpen && !_host.Near.TryOpen(_near))
        {
            Fail(id, PipelineOperation.NearOpenField, NearAnswers.TooMany);
            return;
        }

        if (_remote is not null)
        {
            StopIf(!_remote.Answer(id, PipelineOperation.NearOpenField, NearAnswers.Opened));
        }
        else
        {
            _replies.WriteResult(id, PipelineOperation.NearOpenField, NearAnswers.Opened);
        }
    }

    private void RenewNear(uint id, NearStream near)
    {
        // The client sent all renewals of this turn before the turn began. It is therefore enough to wait once per turn for the reports of earlier changes.
        if (!_hasSettled)
        {
            _hasSettled = true;
            _host.Near.Settle();
        }

        // A result of this turn must not overtake a change, so Emit settles again.
        _host.Near.Trim(near);
        while (near.WriteTo(_replies))
        {
            Emit();
        }

        near.Figures.Renewed();
        _replies.WriteResult(id, PipelineOperation.NearRenewField, []);
    }

    // The order matters: first the registration is made, then the remaining TTL is read, then the value. A write between any two of these steps takes the
    // registration, and the client receives the ticket.
    private void RunNearGet(uint id, NearStream near, CallTarget target, ReadOnlySpan<byte> request)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is not null)
        {
            RunGet(id, target, request);
            return;
        }

        uint ticket = target.Cache.TicketOf(key);
        if (!_host.Near.TryNote(target.Cache.Id, ticket, near) || !target.Cache.TryGetTtl(key, out long leftMs) || leftMs == 0)
        {
            RunGet(id, target, request);
            return;
        }

        NearHitSink hit = new(_replies, id, ticket, (uint)Math.Min(leftMs, uint.MaxValue));
        GetOutcome outcome = target.Cache.Get(key, ref hit);
        near.Figures.Noted();
        FinishGet(id, outcome);
    }

    private void CloseNear()
    {
        _isOver = true;
        if (_near is { } near)
        {
            _host.Near.Close(near);
            _remote?.CloseNear();
        }
    }

    private readonly struct NearHitSink(ReplyBuffer replies, uint id, uint ticket, uint ttlLeftMs) : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value)
        {
            if (value.Length > PipelineLimits.MaxValueBytes)
            {
                replies.WriteUseUnary(id);
            }
            else
            {
                replies.WriteNearHit(id, PipelineCalls.GetField, value, ticket, ttlLeftMs);
            }
        }
    }
}
