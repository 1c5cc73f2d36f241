using System.Runtime.InteropServices;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// How answers leave that wait where they come from. A stream whose source has something stands in a queue; whoever sends for the connection takes from the
/// sources in turn, as much as the peer's windows and one send hold. So a slow peer fills no buffer here, and a thousand answers are one write.
/// </summary>
internal sealed partial class RpcConnection
{
    // What one send carries of them: as much as a connection may hold uncounted, so that they never keep the connection from being read.
    private const int PushedBytes = UncountedPendingBytes;

    // What a source is offered at least: most messages are smaller, and an array is grown for those that are not.
    private const int LeastPushRoom = 1_024;

    // For so many streams an array of a whole send is taken at once.
    private const int ManyPushes = 8;

    private readonly Queue<PushStream> _ready = new();

    /// <summary>Begins to send: headers first.</summary>
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

    /// <summary>One stream's source has something.</summary>
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

    /// <summary>The sources of a group have something.</summary>
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

    /// <summary>Ends a stream when its source has no more.</summary>
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

    /// <summary>A stream is signalled with a group from now on.</summary>
    public void Join(PushGroup group, PushStream push)
    {
        lock (_lock)
        {
            group.Streams.Add(push);
        }
    }

    /// <summary>It is not any more; true where the group is empty.</summary>
    public bool Leave(PushGroup group, PushStream push)
    {
        lock (_lock)
        {
            group.Streams.Remove(push);
            return group.Streams.Count == 0;
        }
    }

    // Under the lock. One that has not begun, or is over, is nobody's.
    private void Ready(PushStream push)
    {
        if (!push.IsQueued && !push.IsOver && push.Stream.Push == push)
        {
            push.IsQueued = true;
            _ready.Enqueue(push);
        }
    }

    // Under the lock. False where the connection is at its end: the thread may be anybody's, and a fault here is this connection's alone.
    private bool TryTakePushes()
    {
        try
        {
            TakePushes();
            return true;
        }
#pragma warning disable CA1031 // There is no memory, or a source has a fault: what its streams were sent is unknown, so that the connection ends.
        catch (Exception)
#pragma warning restore CA1031
        {
            Abort();
            return false;
        }
    }

    // Under the lock. Each in its turn, until a send is full or the connection's window closed.
    private void TakePushes()
    {
        if (_ready.Count > ManyPushes && Gathered.Length <= PushedBytes)
        {
            Gathered.DataRoom(PushedBytes - Gathered.Length);
        }

        while (_sendWindow > 0 && PushRoom >= LeastPushRoom && _ready.TryDequeue(out PushStream? push))
        {
            push.IsQueued = false;
            if (!push.IsOver)
            {
                TakeFrom(push);
            }
        }
    }

    private int PushRoom => PushedBytes - Gathered.Length - Http2FrameHeader.Size;

    // Under the lock. One whose own window is closed stands in no queue until that opens.
    private void TakeFrom(PushStream push)
    {
        RpcStream stream = push.Stream;
        int most = Math.Min(_maxFrameBytes, Math.Min(stream.SendWindow, _sendWindow));
        if (most <= 0)
        {
            return;
        }

        Span<byte> room = Gathered.DataRoom(LeastPushRoom);
        room = room[..Math.Min(room.Length, Math.Min(most, PushRoom))];
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

    // Under the lock, with the streams that move too slowly: one that ends waits for its reader no longer than a call's answer does.
    private bool IsEndSlow(RpcStream stream, long now) =>
        stream.Push is { IsEnding: true, IsOver: false } push && now - push.EndingSinceMs > _options.ReaderGrace.TotalMilliseconds;
}
