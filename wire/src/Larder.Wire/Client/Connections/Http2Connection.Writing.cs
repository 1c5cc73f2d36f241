using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <content>
/// Contains the code that writes to the connection through an <see cref="OutputPump"/>. Requests that exceed a window or the available buffer space wait in a
/// queue. Each of them sends one frame per turn.
/// </content>
internal sealed partial class Http2Connection : IPumpOwner
{
    // The size, in bytes, of the array that each of the two buffers keeps between sends. It is enough for a thousand small calls that are sent together.
    private const int KeptBytes = 128 * 1024;

    private readonly OutputPump _pump;
    private readonly Ticker _sending;
    private long _sendWindow = FlowWindow.InitialBytes;
    private int _initialSendWindow = FlowWindow.InitialBytes;
    private int _maxFrameBytes = Http2Limits.FrameBytes;

    private FrameBuffer Gathered => _pump.Frames;

    /// <summary>Signals that the source of an open stream has data, or that the stream's request ends. Does nothing if the stream has ended.</summary>
    public void Signal(Http2Stream stream, long version)
    {
        bool wakes;
        lock (_lock)
        {
            if (stream.Source is null || stream.HasOutgoing)
            {
                return;
            }

            stream.HasOutgoing = true;
            // The reader first ends a stream and then reads this flag. Here the order is reversed. So at least one of the two threads sees the change of the
            // other.
            Interlocked.MemoryBarrier();
            (long present, StreamPhase phase) = stream.Snapshot();
            if (present != version || phase is not (StreamPhase.Open or StreamPhase.Held))
            {
                stream.HasOutgoing = false;
                return;
            }

            _sendingQueue.Add(stream);
            wakes = _pump.TryWake();
        }

        WakeIf(wakes);
    }

    /// <summary>Sends a window update for consumed bytes of a stream.</summary>
    public void GrantCredit(int streamId, int bytes)
    {
        bool wakes;
        lock (_lock)
        {
            if (_state == State.Closed)
            {
                return;
            }

            Gathered.AddWindowUpdate(streamId, bytes);
            wakes = _pump.TryWake();
        }

        WakeIf(wakes);
    }

    private void StartWriting()
    {
        _receiving.Open(Http2Limits.ConnectionWindowBytes);
        lock (_lock)
        {
            Gathered.Add(ConnectionPreface.Bytes);
            Gathered.AddSettings(
                (Http2Setting.EnablePush, 0),
                (Http2Setting.InitialWindowSize, _options.StreamWindowBytes),
                (Http2Setting.MaxHeaderListSize, Http2Limits.HeaderBytes));
            Gathered.AddWindowUpdate(0, Http2Limits.ConnectionWindowBytes - FlowWindow.InitialBytes);
            _pump.TryWake();
        }

        _pump.Run();
    }

    // Frames that result from a read are sent together at the end of the read. Frames from a batch of callers are sent at the end of the batch.
    private void WakeIf(bool wakes)
    {
        if (wakes && Volatile.Read(ref _reader) == Environment.CurrentManagedThreadId)
        {
            _sendsAfterRead = true;
        }
        else if (wakes && !CompletionBatch.TryDefer(_pump))
        {
            PoolState.Queue(_pump, DedicatedThreads.Shared);
            _sending.Wake();
        }
    }

    // Returns true if the pump is waiting for a pool thread. If the pump has been waiting since the previous tick, a dedicated thread runs it.
    private bool HelpPump()
    {
        if (_pump.IsLate())
        {
            PoolState.NoteLate();
            DedicatedThreads.Shared.Queue(_pump);
        }

        return _pump.IsQueued;
    }

    bool IPumpOwner.Gather()
    {
        SendQueued();
        return true;
    }

    void IPumpOwner.OnTaken()
    {
        SendQueued();
        AdmitWaiting();
    }

    void IPumpOwner.OnEmpty()
    {
        // No action is needed, because buffer space becomes free when the pump takes the buffer (OnTaken), not when everything has been sent.
    }

    void IPumpOwner.OnBroken(Exception error) => Fail(error);

    // Sends one frame of each request in turn while the windows and the buffer have space. The caller must hold the lock.
    private void SendQueued()
    {
        bool sends = true;
        while (sends && _sendingQueue.Count > 0 && _sendWindow > 0 && Gathered.Length < Http2Limits.PendingBytes)
        {
            sends = false;
            for (int turn = _sendingQueue.Count; turn > 0 && Gathered.Length < Http2Limits.PendingBytes; turn--)
            {
                Http2Stream stream = _sendingQueue.TakeFirst();
                sends |= stream.Source is { } source ? SendFrom(source, stream) : SendFrame(stream);
            }
        }
    }

    // Sends one frame of a request. Returns false if nothing can be sent. The rest of the request waits in the queue. The caller must hold the lock.
    private bool SendFrame(Http2Stream stream)
    {
        ReadOnlyMemory<byte> outgoing = stream.Outgoing;
        long room = Math.Min(Math.Min(_sendWindow, stream.SendWindow), _maxFrameBytes);
        int length = Gathered.Length < Http2Limits.PendingBytes ? (int)Math.Min(room, outgoing.Length) : 0;
        if (length > 0)
        {
            bool isLast = length == outgoing.Length;
            Gathered.AddData(stream.Id, outgoing.Span[..length], isLast && stream.EndsAfterOutgoing);
            _sendWindow -= length;
            stream.SendWindow -= length;
            stream.Outgoing = isLast ? default : outgoing[length..];
            stream.HasOutgoing = !isLast;
        }

        if (stream.HasOutgoing)
        {
            _sendingQueue.Add(stream);
        }

        return length > 0;
    }

    // Sends one frame from the stream's source. The stream stays in the queue while its source may have more data. The caller must hold the lock.
    private bool SendFrom(IOutputSource source, Http2Stream stream)
    {
        int most = (int)Math.Min(Math.Min(_sendWindow, stream.SendWindow), _maxFrameBytes);
        int length = most > 0 ? source.Read(Gathered.DataSpan(most)[..most]) : 0;
        if (length > 0)
        {
            Gathered.AddedData(stream.Id, length);
            _sendWindow -= length;
            stream.SendWindow -= length;
        }

        if (length >= most)
        {
            _sendingQueue.Add(stream);
            return length > 0;
        }

        stream.HasOutgoing = false;
        if (stream.EndsAfterOutgoing)
        {
            Gathered.AddData(stream.Id, default, endsStream: true);
            stream.Source = null;
        }

        return true;
    }
}
