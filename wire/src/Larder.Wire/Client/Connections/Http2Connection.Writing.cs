using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <content>
/// Writing. What is sent is gathered in the filling buffer under the lock; one writer at a time swaps it with the other and hands that to the socket. Requests
/// that are larger than a window, or than the room there is, wait in a queue and send a frame each in turn.
/// </content>
internal sealed partial class Http2Connection
{
    // Each of the two buffers: what a thousand small calls send at once.
    private const int KeptBytes = 128 * 1024;

    private readonly Action _onWritten;
    private FrameBuffer _filling = new(KeptBytes);
    private FrameBuffer _writing = new(KeptBytes);
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _writeAwaiter;
    private CompletionBatch? _sent;
    private bool _writerIsAwake;
    private long _bufferNumber;
    private long _sendWindow = FlowWindow.InitialBytes;
    private int _initialSendWindow = FlowWindow.InitialBytes;
    private int _maxFrameBytes = Http2Limits.FrameBytes;

    /// <summary>Sends <see cref="Http2Stream.Outgoing"/> of an open stream, or what of it fits now. False where the stream has ended.</summary>
    /// <param name="stream">The stream, whose outgoing data its owner has just set.</param>
    /// <param name="version">Its life.</param>
    /// <param name="outgoing">The data; it must stay as it is until it is sent.</param>
    /// <param name="isSent">True where all of it is in the connection's buffers; otherwise <see cref="Http2Stream.OnSent"/> says when it is.</param>
    public bool TrySend(Http2Stream stream, long version, ReadOnlyMemory<byte> outgoing, out bool isSent)
    {
        bool wakes = false;
        lock (_lock)
        {
            if (outgoing.IsEmpty && stream.HasOutgoing)
            {
                // The request ends with what waits.
                isSent = true;
                return true;
            }

            isSent = false;
            stream.Outgoing = outgoing;
            stream.HasOutgoing = true;
            // The reader ends a stream first and looks at this flag then; here it is the other way round: one of the two sees the other.
            Interlocked.MemoryBarrier();
            (long present, StreamPhase phase) = stream.Snapshot();
            if (present != version || phase is not (StreamPhase.Open or StreamPhase.Held))
            {
                stream.HasOutgoing = false;
                stream.Outgoing = default;
                return false;
            }

            if (outgoing.IsEmpty)
            {
                // The end of the request, without data.
                _filling.AddData(stream.Id, default, endsStream: true);
                stream.HasOutgoing = false;
            }
            else
            {
                SendFrames(stream);
            }

            isSent = !stream.HasOutgoing;
            if (!isSent || _filling.Length >= Http2Limits.FrameBytes)
            {
                wakes = ClaimWriter();
            }
        }

        if (wakes)
        {
            WakeWriter();
        }

        return true;
    }

    /// <summary>Lets what was sent travel, on this thread where the writer sleeps: for loops that write, not for callers.</summary>
    public void Flush()
    {
        bool writes;
        lock (_lock)
        {
            writes = !_filling.IsEmpty && ClaimWriter();
        }

        if (writes)
        {
            Drain();
        }
    }

    /// <summary>Takes data that waits out of the queue, for its sender gave up. False where it was all sent, or the stream has ended.</summary>
    public bool TryUnsend(Http2Stream stream)
    {
        lock (_lock)
        {
            bool waits = stream.HasOutgoing;
            stream.HasOutgoing = false;
            stream.Outgoing = default;
            stream.Queue?.Remove(stream);
            return waits;
        }
    }

    /// <summary>Gives the server back what was taken from a stream.</summary>
    public void GiveCredit(int streamId, int bytes)
    {
        bool wakes;
        lock (_lock)
        {
            if (_state == State.Closed)
            {
                return;
            }

            _filling.AddWindowUpdate(streamId, bytes);
            wakes = ClaimWriter();
        }

        if (wakes)
        {
            WakeWriter();
        }
    }

    private void StartWriting()
    {
        lock (_lock)
        {
            _filling.Add(ConnectionPreface.Bytes);
            _filling.AddSettings(
                (Http2Setting.EnablePush, 0),
                (Http2Setting.InitialWindowSize, _options.StreamWindowBytes),
                (Http2Setting.MaxHeaderListSize, Http2Limits.HeaderBytes));
            _filling.AddWindowUpdate(0, Http2Limits.ConnectionWindowBytes - FlowWindow.InitialBytes);
            _writerIsAwake = true;
        }

        Drain();
    }

    // Under the lock. True where the caller must wake the writer once it has left the lock.
    private bool ClaimWriter()
    {
        if (_writerIsAwake || _state == State.Closed)
        {
            return false;
        }

        _writerIsAwake = true;
        return true;
    }

    /// <summary>Writes, for whoever claimed the writer.</summary>
    void IThreadPoolWorkItem.Execute() => Drain();

    private void WakeWriter()
    {
        if (!CompletionBatch.TryDefer(this))
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    // The writer. Only who claimed it runs it.
    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept and asked once, here or by OnWritten.")]
    private void Drain()
    {
        try
        {
            while (TrySwap())
            {
                ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter = _transport.SendAsync(_writing.Written).ConfigureAwait(false).GetAwaiter();
                if (!awaiter.IsCompleted)
                {
                    _writeAwaiter = awaiter;
                    awaiter.UnsafeOnCompleted(_onWritten);
                    return;
                }

                awaiter.GetResult();
                _writing.Clear();
            }
        }
        catch (Exception error) when (IsTransport(error))
        {
            StopWriting(error);
        }
    }

    private void OnWritten()
    {
        try
        {
            _writeAwaiter.GetResult();
            _writing.Clear();
        }
        catch (Exception error) when (IsTransport(error))
        {
            StopWriting(error);
            return;
        }

        Drain();
    }

    // False where there is nothing to write: the writer then sleeps.
    private bool TrySwap()
    {
        CompletionBatch? sent;
        bool writes;
        lock (_lock)
        {
            writes = _state != State.Closed && FillAndCheck();
            if (writes)
            {
                (_filling, _writing) = (_writing, _filling);
                _bufferNumber++;
                SendQueued();
                AdmitWaiting();
            }
            else
            {
                _writerIsAwake = false;
                GiveBuffersBack();
            }

            sent = _sent;
            _sent = null;
        }

        sent?.RunOnPool();
        return writes;
    }

    // The socket takes no more.
    private void StopWriting(Exception error)
    {
        Fail(error);
        lock (_lock)
        {
            _writerIsAwake = false;
            GiveBuffersBack();
        }
    }

    // Under the lock: once the connection has ended and its writer sleeps. What little may still be added, such as a reset, is nobody's to write.
    private void GiveBuffersBack()
    {
        if (_state == State.Closed && !_writerIsAwake)
        {
            _filling.Dispose();
            _writing.Dispose();
        }
    }

    private bool FillAndCheck()
    {
        SendQueued();
        return !_filling.IsEmpty;
    }

    // Under the lock: a frame of each request in turn, for as long as the windows and the room last.
    private void SendQueued()
    {
        bool sends = true;
        while (sends && _sendingQueue.Count > 0 && _sendWindow > 0 && _filling.Length < Http2Limits.PendingBytes)
        {
            sends = false;
            for (int turn = _sendingQueue.Count; turn > 0 && _filling.Length < Http2Limits.PendingBytes; turn--)
            {
                Http2Stream stream = _sendingQueue.TakeFirst();
                int before = stream.Outgoing.Length;
                SendFrame(stream);
                sends |= stream.Outgoing.Length < before;
                if (!stream.HasOutgoing)
                {
                    stream.OnSent(_sent ??= _batches.Rent());
                }
            }
        }
    }

    // Under the lock: all that fits now.
    private void SendFrames(Http2Stream stream)
    {
        int before;
        do
        {
            stream.Queue?.Remove(stream);
            before = stream.Outgoing.Length;
            SendFrame(stream);
        }
        while (stream.HasOutgoing && stream.Outgoing.Length < before);
    }

    // Under the lock: one frame, or none; what is left of the request waits in the queue.
    private void SendFrame(Http2Stream stream)
    {
        ReadOnlyMemory<byte> outgoing = stream.Outgoing;
        long room = Math.Min(Math.Min(_sendWindow, stream.SendWindow), _maxFrameBytes);
        int length = _filling.Length < Http2Limits.PendingBytes && _state != State.Closed ? (int)Math.Min(room, outgoing.Length) : 0;
        if (length > 0)
        {
            bool isLast = length == outgoing.Length;
            _filling.AddData(stream.Id, outgoing.Span[..length], isLast && stream.EndsAfterOutgoing);
            _sendWindow -= length;
            stream.SendWindow -= length;
            stream.Outgoing = isLast ? default : outgoing[length..];
            stream.HasOutgoing = !isLast;
        }

        if (stream.HasOutgoing)
        {
            _sendingQueue.Add(stream);
        }
    }
}
