using System.Net.Sockets;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Contains the code that sends responses through an <see cref="OutputPump"/>. A turn is the handling of all data of one receive. During a turn, the receiving
/// thread owns the pump, and sends all frames together at the end of the turn.
/// </summary>
internal sealed partial class RpcConnection : IPumpOwner
{
    /// <summary>
    /// The maximum size of the output buffer, in bytes. Above this size, nothing more is read or framed until the client has received some of the bytes. One
    /// more frame, the headers of a turn's calls, and replies to pings may still be added. All of this fits into an array of 256 KB.
    /// </summary>
    public const int MaxPendingBytes = 224 * 1024;

    private const int MaxDataFrameBytes = 16 * 1024;
    private const int KeptBytes = 4 * 1024;
    private const int BlockBytes = 256;

    private readonly ResponseHeaders _answers = new();
    private readonly PooledBuffer _block = new(BlockBytes);

    // The streams that wait for the connection's window or buffer, and not for their own window.
    private readonly List<RpcStream> _blocked = [];
    private readonly OutputPump _pump;
    private TaskCompletionSource? _room;
    private int _maxFrameBytes = MaxDataFrameBytes;
    private bool _ownsTurn;
    private bool _isGone;

    private FrameBuffer Gathered => _pump.Frames;

    bool IPumpOwner.Gather()
    {
        if (_blocked.Count > 0 && !IsFull)
        {
            ResumeBlocked();
        }

        return TryTakePushes();
    }

    void IPumpOwner.OnTaken() => _room?.TrySetResult();

    void IPumpOwner.OnEmpty()
    {
        LowerMaxPending();
        _room?.TrySetResult();
    }

    void IPumpOwner.OnBroken(Exception error) => Abort();

    private void BeginTurn()
    {
        lock (_lock)
        {
            _ownsTurn = _pump.TryWake();
        }
    }

    private void EndTurn()
    {
        if (_ownsTurn)
        {
            _ownsTurn = false;
            _pump.Run();
        }
    }

    private void PumpIf(bool mustPump)
    {
        if (mustPump)
        {
            _pump.Run();
        }
    }

    /// <summary>Waits until the output buffer has been passed to the transport.</summary>
    private Task WaitForRoomAsync()
    {
        lock (_lock)
        {
            return !IsFull || _isGone ? Task.CompletedTask : NextSwap();
        }
    }

    // Returns a task that completes when the pump has taken the output buffer. The caller must hold the lock.
    private Task NextSwap()
    {
        if (_room is null or { Task.IsCompleted: true })
        {
            _room = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        return _room.Task;
    }

    private async Task WaitUntilSentAsync()
    {
        while (true)
        {
            Task sent;
            lock (_lock)
            {
                if (!_pump.IsAwake || _isGone)
                {
                    break;
                }

                sent = NextSwap();
            }

            await sent.WaitAsync(_options.ReaderGrace).ConfigureAwait(false);
        }

        await _transport.CompleteAsync().ConfigureAwait(false);
    }

    // Tries to send a final GOAWAY on a connection that is closed because of a client error.
    private async Task SendGoAwayAsync(Http2ErrorCode code)
    {
        try
        {
            bool mustPump;
            lock (_lock)
            {
                Gathered.AddGoAway(code, _lastStreamId);
                mustPump = _pump.TryWake();
            }

            PumpIf(mustPump);
            await WaitUntilSentAsync().WaitAsync(TimeSpan.FromSeconds(1)).ConfigureAwait(false);
        }
        catch (Exception error) when (IsGone(error) || error is TimeoutException)
        {
            // The client does not receive the GOAWAY.
        }
    }

    /// <summary>Frames the flushed data of a stream. Returns true if all of it was framed. Otherwise the flush waits.</summary>
    public bool TryFlush(RpcStream stream)
    {
        bool isDone;
        bool mustPump;
        lock (_lock)
        {
            if (stream.IsAborted || _hasEnded)
            {
                return true;
            }

            Send(stream);
            isDone = stream.Output.Unframed.IsEmpty;
            if (!isDone)
            {
                stream.Output.BeginFlush();
            }

            mustPump = _pump.TryWake();
        }

        PumpIf(mustPump);
        return isDone;
    }

    /// <summary>Ends a waiting flush that was cancelled. The writer continues, and detects that its call is about to end.</summary>
    public void StopFlush(RpcStream stream)
    {
        lock (_lock)
        {
            stream.Output.EndFlush(isCompleted: true);
        }
    }

    // Frames as much of a stream's response as the windows and the buffer allow. The caller must hold the lock.
    private void Send(RpcStream stream)
    {
        RpcContext call = stream.Call;
        if (!stream.HasSentHeaders)
        {
            if (stream.HasEnded && !call.Status.IsOk && stream.Output.Unframed.IsEmpty)
            {
                SendStatus(stream, isWholeAnswer: true);
                return;
            }

            SendHeaders(stream);
        }

        SendData(stream);
        if (!stream.Output.Unframed.IsEmpty)
        {
            Block(stream);
        }
        else if (stream.HasEnded)
        {
            SendStatus(stream, isWholeAnswer: false);
        }
    }

    // Frames the response headers of a stream. The caller must hold the lock.
    private void SendHeaders(RpcStream stream)
    {
        _block.Reset(BlockBytes);
        _answers.WriteOk(_block, stream.Call.Headers);
        Gathered.AddHeaders(stream.Id, _block.WrittenSpan, [], endsStream: false, _maxFrameBytes);
        stream.HasSentHeaders = true;
    }

    private void SendData(RpcStream stream)
    {
        while (true)
        {
            ReadOnlySpan<byte> unframed = stream.Output.Unframed;
            int length = Math.Min(Math.Min(unframed.Length, _maxFrameBytes), Math.Min(stream.SendWindow, _sendWindow));
            if (length <= 0 || IsFull)
            {
                return;
            }

            Gathered.AddData(stream.Id, unframed[..length], endsStream: false);
            CountSent(stream, length);
            stream.Output.Framed(length);
        }
    }

    private void CountSent(RpcStream stream, int length)
    {
        _allowance.OnData(length);
        stream.SendWindow -= length;
        _sendWindow -= length;
        _sentBytes += length;
        stream.SentBytes += length;
    }

    private void SendStatus(RpcStream stream, bool isWholeAnswer)
    {
        RpcContext call = stream.Call;
        _block.Reset(BlockBytes);
        if (call.Status.IsOk && call.Trailers is null)
        {
            _answers.WriteOkTrailers(_block);
        }
        else
        {
            _answers.WriteStatus(_block, call.Status, call.Trailers, isWholeAnswer);
        }

        Gathered.AddHeaders(stream.Id, _block.WrittenSpan, [], endsStream: true, _maxFrameBytes);
        if (!stream.Input.IsEnded)
        {
            // The response is complete before the end of the request, so the rest of the request is not needed (RFC 9113, section 8.1).
            Gathered.AddReset(stream.Id, Http2ErrorCode.NoError);
            _closed.OnEnded(stream.Id);
        }

        _allowance.OnAnswered();
        Remove(stream);
    }

    private void Block(RpcStream stream)
    {
        if (!stream.IsBlocked)
        {
            stream.IsBlocked = true;
            stream.Output.ReleaseCapacity();
            stream.Sending.Begin(NowMs, stream.SentBytes);
            stream.UnsentBytes = (int)stream.Output.UnflushedBytes;
            Unsent(stream.UnsentBytes);
            Queue(stream);
        }
    }

    // Queues a blocked stream, if it does not wait for its own window. The caller must hold the lock. A stream whose own window is closed is not queued until
    // that window opens. So the cost of a window update depends only on the data that it allows to be sent, not on the number of waiting streams.
    private void Queue(RpcStream stream)
    {
        if (!stream.IsQueued && stream.SendWindow > 0)
        {
            stream.IsQueued = true;
            _blocked.Add(stream);
        }
    }

    private void Unqueue(RpcStream stream)
    {
        if (stream.IsQueued)
        {
            stream.IsQueued = false;
            _blocked.Remove(stream);
        }
    }

    // Resumes streams in the order in which they were blocked. Each stream sends as much as the windows allow. The caller must hold the lock.
    private void ResumeBlocked()
    {
        while (_blocked.Count > 0 && !IsFull && _sendWindow > 0)
        {
            RpcStream stream = _blocked[0];
            long before = stream.SentBytes;
            SendData(stream);
            int sent = (int)(stream.SentBytes - before);
            stream.UnsentBytes -= sent;
            Unsent(-sent);
            if (!stream.Output.Unframed.IsEmpty)
            {
                if (stream.SendWindow <= 0)
                {
                    Unqueue(stream);
                }

                continue;
            }

            Unqueue(stream);
            stream.IsBlocked = false;
            stream.Output.EndFlush(isCompleted: false);
            if (stream.HasEnded)
            {
                SendStatus(stream, isWholeAnswer: false);
            }
        }
    }

    private static bool IsGone(Exception error) =>
        error is IOException or SocketException or ObjectDisposedException or InvalidOperationException or OperationCanceledException;
}
