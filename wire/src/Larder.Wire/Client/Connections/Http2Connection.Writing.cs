using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <content>
/// Writing, by an <see cref="OutputPump"/>. Requests that are larger than a window, or than the room there is, wait in a queue and send a frame each in turn.
/// </content>
internal sealed partial class Http2Connection : IPumpOwner
{
    // Each of the two buffers: what a thousand small calls send at once.
    private const int KeptBytes = 128 * 1024;

    private readonly OutputPump _pump;
    private readonly Ticker _sending;
    private long _sendWindow = FlowWindow.InitialBytes;
    private int _initialSendWindow = FlowWindow.InitialBytes;
    private int _maxFrameBytes = Http2Limits.FrameBytes;

    private FrameBuffer Gathered => _pump.Frames;

    /// <summary>Says that the source of an open stream has something, or that it is to end. Nothing happens where the stream has ended.</summary>
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
            // The reader ends a stream first and looks at this flag then; here it is the other way round: one of the two sees the other.
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

    // What a read leads to leaves together at its end, what a batch of callers asks at the batch's.
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

    // True while the pump waits for a thread of the pool. One that none has taken since the last time is run by a dedicated one.
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
        // What is full waits to be taken, not to be empty.
    }

    void IPumpOwner.OnBroken(Exception error) => Fail(error);

    // Under the lock: a frame of each request in turn, for as long as the windows and the room last.
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

    // Under the lock: one frame, or none: false. What is left of the request waits in the queue.
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

    // Under the lock: the same of what a stream's source has. It stays in the queue for as long as there may be more.
    private bool SendFrom(IOutputSource source, Http2Stream stream)
    {
        int most = (int)Math.Min(Math.Min(_sendWindow, stream.SendWindow), _maxFrameBytes);
        int length = most > 0 ? source.Read(Gathered.DataRoom(most)[..most]) : 0;
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
