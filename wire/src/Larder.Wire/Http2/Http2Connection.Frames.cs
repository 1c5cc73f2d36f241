using System.Buffers.Binary;

namespace Larder.Wire.Http2;

/// <content>What each frame does: RFC 9113, 6.</content>
internal sealed partial class Http2Connection
{
    private readonly PooledBuffer _headerBlock = new(1024);
    private readonly DiscardedHeaders _discarded = new();
    private int _continuedStream;
    private int _continuations;
    private bool _continuedEndsStream;
    private int _receivedUnacknowledged;

    private void ReadFrame(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (_continuedStream != 0 && (header.Type != Http2FrameType.Continuation || header.StreamId != _continuedStream))
        {
            throw Http2ConnectionException.Protocol("another frame came within a block of headers");
        }

        switch (header.Type)
        {
            case Http2FrameType.Data:
                OnData(header, payload);
                break;
            case Http2FrameType.Headers:
                OnHeaders(header, payload);
                break;
            case Http2FrameType.Continuation:
                OnContinuation(header, payload);
                break;
            case Http2FrameType.ResetStream:
                OnResetStream(header, payload);
                break;
            case Http2FrameType.Settings:
                OnSettings(header, payload);
                break;
            case Http2FrameType.Ping:
                OnPing(header, payload);
                break;
            case Http2FrameType.GoAway:
                OnGoAway(header, payload);
                break;
            case Http2FrameType.WindowUpdate:
                OnWindowUpdate(header, payload);
                break;
            case Http2FrameType.PushPromise:
                throw Http2ConnectionException.Protocol("it pushes, which was turned off");
            default:
                // Priorities, and frames of extensions, are ignored: RFC 9113, 5.5.
                break;
        }
    }

    private void OnData(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        ReadOnlySpan<byte> data = header.Has(Http2FrameHeader.Padded) ? Unpadded(payload) : payload;
        CountForConnection(header.Length);
        Http2Stream? stream = HoldNamed(header);
        if (stream is null)
        {
            return;
        }

        if (!stream.TryReceive(header.Length))
        {
            throw Http2ConnectionException.FlowControl($"stream {header.StreamId} was sent more than its window");
        }

        if (!stream.Head.HasHeaders)
        {
            EndBroken(stream, "data came before the headers");
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
            // Padding is taken at once; the data when its reader takes it.
            GiveStreamCredit(stream, header.Length - data.Length);
        }
    }

    private void GiveStreamCredit(Http2Stream stream, int bytes)
    {
        int credit = stream.TakeCredit(bytes);
        if (credit > 0)
        {
            GiveCredit(stream.Id, credit);
        }
    }

    private void CountForConnection(int bytes)
    {
        _receivedUnacknowledged += bytes;
        if (_receivedUnacknowledged > Http2Limits.ConnectionWindowBytes)
        {
            throw Http2ConnectionException.FlowControl("it sent more than the connection's window");
        }

        // Given back whoever reads when: what waits is bounded by the streams' windows.
        if (_receivedUnacknowledged >= Http2Limits.ConnectionWindowBytes / 2)
        {
            GiveCredit(0, _receivedUnacknowledged);
            _receivedUnacknowledged = 0;
        }
    }

    private void OnHeaders(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        ReadOnlySpan<byte> block = header.Has(Http2FrameHeader.Padded) ? Unpadded(payload) : payload;
        if (header.Has(Http2FrameHeader.Priority))
        {
            block = block.Length >= 5 ? block[5..] : throw Http2ConnectionException.FrameSize("a priority is cut off");
        }

        bool endsStream = header.Has(Http2FrameHeader.EndStream);
        if (header.Has(Http2FrameHeader.EndHeaders))
        {
            OnHeaderBlock(header, block, endsStream);
            return;
        }

        _continuedStream = header.StreamId == 0 ? throw NoStream(header) : header.StreamId;
        _continuedEndsStream = endsStream;
        _continuations = 0;
        _headerBlock.Truncate(0);
        AddToHeaderBlock(block);
    }

    private void OnContinuation(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (_continuedStream == 0 || ++_continuations > Http2Limits.Continuations)
        {
            throw _continuedStream == 0
                ? Http2ConnectionException.Protocol("a block of headers goes on that never began")
                : Http2ConnectionException.Flood($"a block of headers has more than {Http2Limits.Continuations} continuations");
        }

        AddToHeaderBlock(payload);
        if (header.Has(Http2FrameHeader.EndHeaders))
        {
            _continuedStream = 0;
            OnHeaderBlock(header, _headerBlock.WrittenSpan, _continuedEndsStream);
        }
    }

    private void AddToHeaderBlock(ReadOnlySpan<byte> bytes)
    {
        if (_headerBlock.Written + bytes.Length > Http2Limits.HeaderBytes)
        {
            throw Http2ConnectionException.Flood($"a block of headers is over {Http2Limits.HeaderBytes} bytes");
        }

        bytes.CopyTo(_headerBlock.GetSpan(bytes.Length));
        _headerBlock.Advance(bytes.Length);
    }

    private void OnHeaderBlock(in Http2FrameHeader header, ReadOnlySpan<byte> block, bool endsStream)
    {
        Http2Stream? stream = HoldNamed(header);
        if (stream is null)
        {
            // A stream that ended here meanwhile; the table must still learn its fields.
            _decoder.Decode(block, _discarded);
            return;
        }

        _decoder.Decode(block, stream.Head);
        if (!stream.Head.TryEndBlock(endsStream))
        {
            EndBroken(stream, "its headers have no status, or come where none may");
            return;
        }

        stream.OnHeaders(_batch ??= _batches.Rent());
        if (endsStream)
        {
            EndHeld(stream, StreamOutcome.Answered);
        }
    }

    private void EndBroken(Http2Stream stream, string what) => EndHeld(
        stream,
        StreamOutcome.Failed,
        new RpcException(new Status(StatusCode.Internal, $"The server's answer breaks HTTP/2: {what}.")),
        Http2ErrorCode.ProtocolError);

    private void OnResetStream(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        uint code = payload.Length == 4 ? BinaryPrimitives.ReadUInt32BigEndian(payload) : throw WrongLength(header);
        if (HoldNamed(header) is { } stream)
        {
            EndHeld(stream, StreamOutcome.Failed, TransportFailure.From(Http2ErrorText.StreamReset(code)));
        }
    }

    private void OnSettings(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        bool isAnswer = header.Has(Http2FrameHeader.Acknowledged);
        if (header.StreamId != 0 || payload.Length % 6 != 0 || (isAnswer && !payload.IsEmpty))
        {
            throw WrongLength(header);
        }

        if (isAnswer)
        {
            return;
        }

        bool wakes;
        lock (_lock)
        {
            for (; !payload.IsEmpty; payload = payload[6..])
            {
                Apply((Http2Setting)BinaryPrimitives.ReadUInt16BigEndian(payload), BinaryPrimitives.ReadUInt32BigEndian(payload[2..]));
            }

            CheckFlood();
            _filling.AddSettingsAnswer();
            AdmitWaiting();
            wakes = ClaimWriter();
        }

        if (wakes)
        {
            WakeWriter();
        }

        _ready.TrySetResult();
    }

    // Under the lock.
    private void Apply(Http2Setting setting, uint value)
    {
        switch (setting)
        {
            case Http2Setting.HeaderTableSize:
                _blocks.Resize(value);
                break;
            case Http2Setting.MaxConcurrentStreams:
                _maxStreams = (int)Math.Min(value, Http2Limits.MostStreams);
                break;
            case Http2Setting.InitialWindowSize:
                ChangeInitialWindow(value <= Http2Limits.LargestWindow ? (int)value : throw Http2ConnectionException.FlowControl("an initial window is too large"));
                break;
            case Http2Setting.MaxFrameSize:
                // A frame of ours is never larger than the least that RFC 9113 lets a server ask for: a large message shares the connection.
                _ = value is >= Http2Limits.FrameBytes and < 1 << 24 ? value : throw Http2ConnectionException.Protocol("a frame size is out of range");
                break;
            default:
                break;
        }
    }

    // RFC 9113, 6.9.2: the windows of open streams change by the difference, and may become negative.
    private void ChangeInitialWindow(int window)
    {
        int difference = window - _initialSendWindow;
        _initialSendWindow = window;
        foreach (Http2Stream stream in _streams.All())
        {
            Widen(stream, difference);
        }
    }

    private static void Widen(Http2Stream stream, int by)
    {
        long window = (long)stream.SendWindow + by;
        stream.SendWindow = window <= Http2Limits.LargestWindow ? (int)window : throw Http2ConnectionException.FlowControl("a stream's window is too large");
    }

    private void OnPing(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.StreamId != 0 || payload.Length != 8)
        {
            throw WrongLength(header);
        }

        // An answer to a ping of ours has done its work by arriving.
        if (!header.Has(Http2FrameHeader.Acknowledged))
        {
            CheckFlood();
            SendPing(payload, isAnswer: true);
        }
    }

    // Bounds what a server can make us answer while it reads nothing.
    private void CheckFlood()
    {
        if (_filling.Length > Http2Limits.MostPendingBytes)
        {
            throw Http2ConnectionException.Flood("it asks for answers and reads none");
        }
    }

    private void SendPing(ReadOnlySpan<byte> payload, bool isAnswer)
    {
        bool wakes;
        lock (_lock)
        {
            _filling.AddPing(payload, isAnswer);
            wakes = ClaimWriter();
        }

        if (wakes)
        {
            WakeWriter();
        }
    }

    private void OnWindowUpdate(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        int increment = payload.Length == 4 ? (int)(BinaryPrimitives.ReadUInt32BigEndian(payload) & 0x7FFF_FFFF) : throw WrongLength(header);
        if (increment == 0)
        {
            throw Http2ConnectionException.Protocol("a window is widened by nothing");
        }

        Http2Stream? stream = header.StreamId == 0 ? null : Hold(header.StreamId);
        bool wakes;
        lock (_lock)
        {
            if (header.StreamId == 0)
            {
                _sendWindow += increment;
                _ = _sendWindow <= Http2Limits.LargestWindow ? 0 : throw Http2ConnectionException.FlowControl("the connection's window is too large");
            }
            else if (stream is not null)
            {
                Widen(stream, increment);
            }

            wakes = _sendingQueue.Count > 0 && ClaimWriter();
        }

        if (wakes)
        {
            WakeWriter();
        }
    }

    private Http2Stream? HoldNamed(in Http2FrameHeader header) => header.StreamId == 0 ? throw NoStream(header) : Hold(header.StreamId);

    private static ReadOnlySpan<byte> Unpadded(ReadOnlySpan<byte> payload) =>
        payload.Length > 0 && payload[0] < payload.Length ? payload[1..^payload[0]] : throw Http2ConnectionException.Protocol("the padding is longer than its frame");

    private static Http2ConnectionException NoStream(in Http2FrameHeader header) => Http2ConnectionException.Protocol($"a {header.Type} frame names no stream");

    private static Http2ConnectionException WrongLength(in Http2FrameHeader header) => Http2ConnectionException.FrameSize($"a {header.Type} frame of {header.Length} bytes on stream {header.StreamId}");

    private sealed class DiscardedHeaders : Hpack.IHeaderSink
    {
        public void Add(Hpack.HeaderField field)
        {
            // Nobody asks for them.
        }
    }
}
