using System.Runtime.InteropServices;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Contains the code that sends responses from sources (<see cref="PushStream"/>). A stream whose source has data is queued. The thread that sends for the
/// connection reads from the sources in turn, as much as the client's windows and one send allow. So a slow client fills no buffer, and a thousand responses
/// need only one write.
/// </summary>
internal sealed partial class RpcConnection
{
    // The maximum size of pushed data in one send. It is the size that a connection may queue without taking memory from the budget. So pushed data never stops
    // the server from reading the connection.
    private const int PushedBytes = UncountedPendingBytes;

    // The minimum space for the data of a source. Most messages are smaller. For larger messages, the buffer grows.
    private const int MinPushRoom = 1_024;

    // If more streams than this number are queued, a buffer for a full send is allocated in one step.
    private const int ManyPushes = 8;

    private readonly Queue<PushStream> _ready = new();

    /// <summary>Starts to send the response of a stream, beginning with the headers.</summary>
    public void Begin(PushStream push)
    {
        bool mustPump;
        lock (_lock)
        {
            if (push.Stream.IsAborted || push.Stream.IsRemoved || _hasEnded)
            {
                push.Over();
                return;
            }

            push.Stream.Push = push;
            SendHeaders(push.Stream);
            Ready(push);
            mustPump = _pump.TryWake();
        }

        PumpIf(mustPump);
    }

    /// <summary>Signals that a stream's source has data.</summary>
    public void Push(PushStream push)
    {
        bool mustPump;
        lock (_lock)
        {
            Ready(push);
            mustPump = _pump.TryWake();
        }

        PumpIf(mustPump);
    }

    /// <summary>Signals that the sources of a group have data.</summary>
    public void Push(PushGroup group)
    {
        bool mustPump;
        lock (_lock)
        {
            foreach (PushStream push in CollectionsMarshal.AsSpan(group.Streams))
            {
                Ready(push);
            }

            mustPump = _pump.TryWake();
        }

        PumpIf(mustPump);
    }

    /// <summary>Ends a stream when its source has no more data.</summary>
    public void EndPush(PushStream push)
    {
        lock (_lock)
        {
            if (!push.IsEnding)
            {
                push.IsEnding = true;
                push.EndingSinceMs = NowMs;
            }
        }

        Push(push);
    }

    /// <summary>Adds a stream to a group. From now on, a signal to the group also signals the stream.</summary>
    public void Join(PushGroup group, PushStream push)
    {
        lock (_lock)
        {
            group.Streams.Add(push);
        }
    }

    /// <summary>Removes a stream from a group. Returns true if the group is now empty.</summary>
    public bool Leave(PushGroup group, PushStream push)
    {
        lock (_lock)
        {
            group.Streams.Remove(push);
            return group.Streams.Count == 0;
        }
    }

    // Queues a stream that has data. Does nothing if the stream has not begun or has ended. The caller must hold the lock.
    private void Ready(PushStream push)
    {
        if (!push.IsQueued && !push.IsOver && push.Stream.Push == push)
        {
            push.IsQueued = true;
            _ready.Enqueue(push);
        }
    }

    // Frames the data of queued streams. Returns false if the connection has failed. Exceptions are caught, because the thread may belong to another
    // connection. The caller must hold the lock.
    private bool TryTakePushes()
    {
        try
        {
            TakePushes();
            return true;
        }
#pragma warning disable CA1031 // Either memory is exhausted or a source has failed. It is unknown what was sent to its stream, so the connection is aborted.
        catch (Exception)
#pragma warning restore CA1031
        {
            Abort();
            return false;
        }
    }

    // Frames the data of queued streams. Each stream gets a turn until the send is full or the connection's window is closed. The caller must hold the lock.
    private void TakePushes()
    {
        if (_ready.Count > ManyPushes && Gathered.Length <= PushedBytes)
        {
            Gathered.DataSpan(PushedBytes - Gathered.Length);
        }

        while (_sendWindow > 0 && PushCapacity >= MinPushRoom && _ready.TryDequeue(out PushStream? push))
        {
            push.IsQueued = false;
            if (!push.IsOver)
            {
                TakeFrom(push);
            }
        }
    }

    private int PushCapacity => PushedBytes - Gathered.Length - Http2FrameHeader.Size;

    // Frames data of one stream. A stream whose own window is closed is not queued until that window opens. The caller must hold the lock.
    private void TakeFrom(PushStream push)
    {
        RpcStream stream = push.Stream;
        int most = Math.Min(_maxFrameBytes, Math.Min(stream.SendWindow, _sendWindow));
        if (most <= 0)
        {
            return;
        }

        Span<byte> room = Gathered.DataSpan(MinPushRoom);
        room = room[..Math.Min(room.Length, Math.Min(most, PushCapacity))];
        int length = push.Source!.Read(room);
        if (length > 0)
        {
            Gathered.AddedData(stream.Id, length);
            CountSent(stream, length);
        }

        if (length == room.Length)
        {
            Ready(push);
        }
        else if (push.IsEnding)
        {
            push.Over();
        }
    }

    // Returns whether a stream that is ending has waited too long for its client. The time limit is the same as for other responses. Called together with the
    // checks for slow streams. The caller must hold the lock.
    private bool IsEndSlow(RpcStream stream, long now) =>
        stream.Push is { IsEnding: true, IsOver: false } push && now - push.EndingSinceMs > _options.ReaderGrace.TotalMilliseconds;
}
