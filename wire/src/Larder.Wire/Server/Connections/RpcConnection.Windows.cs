using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Contains the flow control (RFC 9113, section 5.2) in both directions, for each stream and for the connection.</summary>
internal sealed partial class RpcConnection
{
    private int _sendWindow = FlowWindow.InitialBytes;
    private int _initialSendWindow = FlowWindow.InitialBytes;
    private ReceiveWindow _receiving;

    private void WriteOpening()
    {
        lock (_lock)
        {
            Gathered.AddSettings(
                (Http2Setting.MaxConcurrentStreams, _options.MaxStreamsPerConnection),
                (Http2Setting.InitialWindowSize, _options.WindowBytes),
                (Http2Setting.MaxHeaderListSize, MaxHeaderListBytes));
            if (_options.WindowBytes > FlowWindow.InitialBytes)
            {
                Gathered.AddWindowUpdate(0, _options.WindowBytes - FlowWindow.InitialBytes);
            }

            _hasOpened = true;
            if (_closingSinceMs != 0)
            {
                SendClosingGoAway();
            }
        }
    }

    private void TakeFromConnectionWindow(int bytes)
    {
        if (!_receiving.TryReceive(bytes))
        {
            throw Http2ConnectionException.FlowControl("the client sent more data than the flow-control window of the connection allows");
        }
    }

    /// <summary>Records that a reader has consumed input of its stream, and sends window updates if they are due.</summary>
    public void OnConsumed(RpcStream stream, int count)
    {
        int credit = stream.Receiving.Take(count);
        bool mustPump = false;
        if (credit > 0)
        {
            lock (_lock)
            {
                if (!stream.IsAborted && !stream.IsRemoved && !stream.Input.IsEnded)
                {
                    Gathered.AddWindowUpdate(stream.Id, credit);
                    mustPump = _pump.TryWake();
                }
            }
        }

        GiveBack(count);
        PumpIf(mustPump);
    }

    // Sends a window update for the connection, but not for a stream.
    private void GiveBack(int count)
    {
        int credit = _receiving.Take(count);
        if (credit == 0)
        {
            return;
        }

        bool mustPump;
        lock (_lock)
        {
            Gathered.AddWindowUpdate(0, credit);
            mustPump = _pump.TryWake();
        }

        PumpIf(mustPump);
    }

    // Enlarges the send window of the connection. The caller must hold the lock.
    private bool TryGrowSendWindow(int increment)
    {
        _sendWindow = FlowWindow.Widened(_sendWindow, increment, streamId: 0);
        ResumeBlocked();
        return true;
    }

    // Enlarges the send window of a stream. Returns false if the window would exceed the maximum. The caller must hold the lock.
    private bool TryGrowSendWindow(Http2FrameHeader header, int increment)
    {
        RequireOpened(header);
        if (!_streams.TryGetValue(header.StreamId, out RpcStream? stream))
        {
            return true;
        }

        if (!FlowWindow.TryWiden(stream.SendWindow, increment, out int widened))
        {
            return false;
        }

        stream.SendWindow = widened;
        if (stream.IsBlocked)
        {
            Queue(stream);
            ResumeBlocked();
        }
        else if (stream.Push is { } push)
        {
            Ready(push);
        }

        return true;
    }

    // Applies a new initial window size. The windows of open streams change by the difference and may become negative. The caller must hold the lock.
    private void ChangeInitialWindow(int window)
    {
        int change = window - _initialSendWindow;
        if (change == 0)
        {
            return;
        }

        _initialSendWindow = window;
        foreach (RpcStream stream in _streams.Values)
        {
            stream.SendWindow = FlowWindow.Widened(stream.SendWindow, change, stream.Id);
            if (stream.IsBlocked)
            {
                Queue(stream);
            }
            else if (stream.Push is { } push)
            {
                Ready(push);
            }
        }

        ResumeBlocked();
    }
}
