using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <content>Contains the handlers of each frame type (RFC 9113, section 6).</content>
internal sealed partial class Http2Connection : IFrameOwner
{
    private readonly FrameInput _frames;
    private readonly DiscardedHeaders _discarded = new();
    private ReceiveWindow _receiving;

    void IFrameOwner.OnData(in Http2FrameHeader header, ReadOnlySpan<byte> data)
    {
        CountForConnection(header.Length);
        Http2Stream? stream = Hold(header.StreamId);
        if (stream is null)
        {
            return;
        }

        if (!stream.Receiving.TryReceive(header.Length))
        {
            throw Http2ConnectionException.FlowControl($"the server sent more data on stream {header.StreamId} than its flow-control window allows");
        }

        if (!stream.Head.HasHeaders)
        {
            EndBroken(stream, "data arrived before the headers");
        }
        else if (!stream.Head.TryCountBody(data.Length, header.Has(Http2FrameHeader.EndStream)))
        {
            EndBroken(stream, "the length of the body differs from its content-length header");
        }
        else if (!data.IsEmpty && stream.OnData(data, _batch ??= _batches.Rent()) is { } refusal)
        {
            EndHeld(stream, StreamOutcome.Failed, refusal, Http2ErrorCode.Cancel);
        }
        else if (header.Has(Http2FrameHeader.EndStream))
        {
            EndHeld(stream, StreamOutcome.Answered);
        }
        else if (header.Length > data.Length)
        {
            // Padding counts as consumed immediately. Data counts as consumed when its reader consumes it.
            stream.GrantCredit(header.Length - data.Length);
        }
    }

    private void CountForConnection(int bytes)
    {
        if (!_receiving.TryReceive(bytes))
        {
            throw Http2ConnectionException.FlowControl("the server sent more data than the flow-control window of the connection allows");
        }

        // The connection's window is replenished before the data is read, because the windows of the streams limit the unread data.
        int credit = _receiving.Take(bytes);
        if (credit > 0)
        {
            GrantCredit(0, credit);
        }
    }

    void IFrameOwner.OnHeaders(int streamId, ReadOnlySpan<byte> block, bool endsStream)
    {
        Http2Stream? stream = Hold(streamId);
        if (stream is null)
        {
            // The stream has already ended on this side, but the header table must still process the block.
            _decoder.Decode(block, _discarded);
            return;
        }

        _decoder.Decode(block, stream.Head);
        if (!stream.Head.TryEndBlock(endsStream))
        {
            EndBroken(stream, "the headers are malformed, lack a status or are out of order");
            return;
        }

        if (endsStream && !stream.Head.TryCountBody(0, isEnd: true))
        {
            EndBroken(stream, "the length of the body differs from its content-length header");
            return;
        }

        stream.OnHeaders(_batch ??= _batches.Rent());
        if (endsStream)
        {
            EndHeld(stream, StreamOutcome.Answered);
        }
    }

    private void EndBroken(Http2Stream stream, string what, Http2ErrorCode code = Http2ErrorCode.ProtocolError) => EndHeld(
        stream,
        StreamOutcome.Failed,
        new RpcException(new Status(StatusCode.Internal, $"The server's response violates HTTP/2: {what}.")),
        code);

    void IFrameOwner.FailStream(in Http2FrameHeader header, Http2ErrorCode code, string what)
    {
        if (_streams.IsIdle(header.StreamId))
        {
            throw new Http2ConnectionException(code, $"{what} (the stream was never opened)");
        }

        if (Hold(header.StreamId) is { } stream)
        {
            EndBroken(stream, what, code);
        }
    }

    void IFrameOwner.OnIdle(in Http2FrameHeader header)
    {
        // The frame needs no action.
    }

    void IFrameOwner.OnReset(in Http2FrameHeader header, uint code)
    {
        if (Hold(header.StreamId) is { } stream)
        {
            EndHeld(stream, StreamOutcome.Failed, TransportFailure.From(Http2ErrorText.StreamReset(code)));
        }
    }

    void IFrameOwner.OnSettings(SettingsReader settings)
    {
        bool wakes;
        lock (_lock)
        {
            int window = _initialSendWindow;
            while (settings.TryRead(out Http2Setting setting, out uint value))
            {
                Apply(setting, value, ref window);
            }

            // The setting is applied once per frame, even if the frame contains it several times, because each change must update every stream.
            ChangeInitialWindow(window);
            CheckFlood();
            Gathered.AddSettingsAnswer();
            AdmitWaiting();
            wakes = _pump.TryWake();
        }

        WakeIf(wakes);
        _ready.TrySetResult();
    }

    // Applies a setting of the server. The caller must hold the lock.
    private void Apply(Http2Setting setting, uint value, ref int window)
    {
        switch (setting)
        {
            case Http2Setting.HeaderTableSize:
                _blocks.Resize(value);
                break;
            case Http2Setting.MaxConcurrentStreams:
                _maxStreams = (int)Math.Min(value, Http2Limits.MaxStreams);
                break;
            case Http2Setting.InitialWindowSize:
                window = (int)value;
                break;
            case Http2Setting.EnablePush when value != 0:
                throw Http2ConnectionException.Protocol("a server must not enable push");
            default:
                // Other settings are ignored. MAX_FRAME_SIZE is ignored because frames from this side never exceed the size that every server must accept.
                // These small frames prevent a large message from blocking the connection.
                break;
        }
    }

    // RFC 9113, section 6.9.2: the windows of open streams change by the difference and may become negative.
    private void ChangeInitialWindow(int window)
    {
        int difference = window - _initialSendWindow;
        if (difference == 0)
        {
            return;
        }

        _initialSendWindow = window;
        foreach (Http2Stream stream in _streams.All())
        {
            stream.SendWindow = FlowWindow.Widened(stream.SendWindow, difference, stream.Id);
        }
    }

    void IFrameOwner.OnPing(ReadOnlySpan<byte> payload, bool isAnswer)
    {
        // A reply to a ping from this side needs no action.
        if (!isAnswer)
        {
            CheckFlood();
            SendPing(payload, isAnswer: true);
        }
    }

    // This check limits the replies that a server can cause while it does not read.
    private void CheckFlood()
    {
        if (Gathered.Length > Http2Limits.MaxPendingBytes)
        {
            throw Http2ConnectionException.Flood("the server requests acknowledgements but does not read them");
        }
    }

    private void SendPing(ReadOnlySpan<byte> payload, bool isAnswer)
    {
        bool wakes;
        lock (_lock)
        {
            Gathered.AddPing(payload, isAnswer);
            wakes = _pump.TryWake();
        }

        WakeIf(wakes);
    }

    bool IFrameOwner.OnWindowUpdate(in Http2FrameHeader header, int increment)
    {
        Http2Stream? stream = header.StreamId == 0 ? null : Hold(header.StreamId);
        bool fits = true;
        bool wakes;
        lock (_lock)
        {
            if (header.StreamId == 0)
            {
                _sendWindow = FlowWindow.Widened(_sendWindow, increment, header.StreamId);
            }
            else if (stream is not null)
            {
                fits = FlowWindow.TryWiden(stream.SendWindow, increment, out int widened);
                stream.SendWindow = widened;
            }

            wakes = _sendingQueue.Count > 0 && _pump.TryWake();
        }

        WakeIf(wakes);
        return fits;
    }

    private sealed class DiscardedHeaders : IHeaderSink
    {
        public void Add(HeaderField field)
        {
            // The fields are not needed. Only the header table must be updated.
        }
    }
}
