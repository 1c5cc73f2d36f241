using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Flow control (RFC 9113, section 5.2): what may still be sent either way, by stream and by connection.</summary>
internal sealed partial class RpcConnection
{
    private int _sendWindow = FlowWindow.InitialBytes;
    private int _initialSendWindow = FlowWindow.InitialBytes;
    private int _receiveWindow;
    private int _credit;

    // Half a window at a time: fewer updates, and the peer never waits for one while it is read.
    private int CreditStep => _options.WindowBytes / 2;

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
                SayClosing();
            }
        }
    }

    private void TakeFromConnectionWindow(int bytes)
    {
        if (Interlocked.Add(ref _receiveWindow, -bytes) < 0)
        {
            throw Http2ConnectionException.FlowControl("the connection sent more than its window");
        }
    }

    /// <summary>A reader has used bytes of its stream's input: the peer may send as many again.</summary>
    public void OnConsumed(RpcStream stream, int count)
    {
        bool mustPump = false;
        lock (_lock)
        {
            stream.Credit += count;
            if (stream.Credit >= CreditStep && !stream.IsAborted && !stream.IsRemoved && !stream.Input.IsEnded)
            {
                Interlocked.Add(ref stream.ReceiveWindow, stream.Credit);
                Gathered.AddWindowUpdate(stream.Id, stream.Credit);
                stream.Credit = 0;
                mustPump = _pump.TryWake();
            }
        }

        GiveBack(count);
        PumpIf(mustPump);
    }

    // To the connection's window.
    private void GiveBack(int count)
    {
        bool mustPump = false;
        lock (_lock)
        {
            _credit += count;
            if (_credit >= CreditStep)
            {
                Interlocked.Add(ref _receiveWindow, _credit);
                Gathered.AddWindowUpdate(0, _credit);
                _credit = 0;
                mustPump = _pump.TryWake();
            }
        }

        PumpIf(mustPump);
    }

    // Under the lock.
    private bool TryGrowSendWindow(int increment)
    {
        _sendWindow = FlowWindow.Widened(_sendWindow, increment, streamId: 0);
        ResumeBlocked();
        return true;
    }

    // Under the lock. False where the window would be too wide.
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

    // Under the lock. Windows of open streams move with the initial one, and may become negative.
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
