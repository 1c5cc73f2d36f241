using System.Buffers.Binary;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Parses the incoming frames of a connection, on client and server. It checks the order of the frames and passes each complete frame to the owner of the
/// connection (RFC 9113, sections 4 and 6).
/// </summary>
internal sealed class FrameInput(IFrameOwner owner) : IDisposable
{
    private readonly HeaderBlockAssembly _block = new();

    /// <summary>Gets whether the peer's settings have arrived. They must be the first frame of the peer.</summary>
    public bool HasSettings { get; private set; }

    /// <inheritdoc cref="HeaderBlockAssembly.SinceMs"/>
    public long BlockSinceMs => _block.SinceMs;

    /// <summary>Passes the first frame to the owner. Returns the frame's length in bytes, or 0 if the frame is incomplete.</summary>
    /// <exception cref="Http2ConnectionException">The frame is not allowed.</exception>
    public int Take(ReadOnlySpan<byte> unread)
    {
        if (unread.Length < Http2FrameHeader.Size)
        {
            return 0;
        }

        Http2FrameHeader header = Http2FrameHeader.Read(unread);
        FramePayload.CheckLength(header);
        int length = Http2FrameHeader.Size + header.Length;
        if (unread.Length < length)
        {
            return 0;
        }

        Hand(header, unread[Http2FrameHeader.Size..length]);
        return length;
    }

    public void Dispose() => _block.Dispose();

    private void Hand(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!HasSettings && (header.Type != Http2FrameType.Settings || header.Has(Http2FrameHeader.Acknowledged)))
        {
            throw Http2ConnectionException.Protocol("the connection did not start with a SETTINGS frame");
        }

        _block.CheckOrder(header);
        if (header.Type is Http2FrameType.Data or Http2FrameType.Priority or Http2FrameType.ResetStream)
        {
            FramePayload.RequireStream(header);
        }

        switch (header.Type)
        {
            case Http2FrameType.Data:
                owner.OnData(header, FramePayload.WithoutPadding(header, payload));
                break;
            case Http2FrameType.Headers:
                OnHeaders(header, FramePayload.HeaderBlock(header, payload));
                break;
            case Http2FrameType.Continuation:
                OnContinuation(header, payload);
                break;
            case Http2FrameType.ResetStream:
                owner.OnReset(header, FramePayload.ErrorCode(header, payload));
                break;
            case Http2FrameType.Settings:
                OnSettings(header, payload);
                break;
            case Http2FrameType.Ping:
                FramePayload.CheckPing(header);
                owner.OnPing(payload, header.Has(Http2FrameHeader.Acknowledged));
                break;
            case Http2FrameType.WindowUpdate:
                OnWindowUpdate(header, FramePayload.WindowIncrement(header, payload));
                break;
            case Http2FrameType.GoAway:
                FramePayload.CheckGoAway(header);
                owner.OnGoAway(BinaryPrimitives.ReadInt32BigEndian(payload) & int.MaxValue, BinaryPrimitives.ReadUInt32BigEndian(payload[4..]));
                break;
            case Http2FrameType.Priority:
                owner.OnIdle(header);
                if (!FramePayload.CheckPriority(header, payload))
                {
                    owner.FailStream(header, Http2ErrorCode.FrameSizeError, "a PRIORITY frame has the wrong length");
                }

                break;
            case Http2FrameType.PushPromise:
                throw Http2ConnectionException.Protocol("a PUSH_PROMISE frame arrived, but push is disabled");
            default:
                // Frames of extensions are ignored (RFC 9113, section 5.5).
                owner.OnIdle(header);
                break;
        }
    }

    private void OnHeaders(in Http2FrameHeader header, ReadOnlySpan<byte> block)
    {
        if ((header.StreamId & 1) == 0)
        {
            throw Http2ConnectionException.Protocol("the stream id is invalid, because clients must use odd ids and servers must not open streams");
        }

        if (header.Has(Http2FrameHeader.EndHeaders))
        {
            owner.OnHeaders(header.StreamId, block, header.Has(Http2FrameHeader.EndStream));
        }
        else
        {
            _block.Begin(header, block);
        }
    }

    private void OnContinuation(in Http2FrameHeader header, ReadOnlySpan<byte> piece)
    {
        owner.OnIdle(header);
        if (_block.TryEnd(header, piece))
        {
            owner.OnHeaders(header.StreamId, _block.Block, _block.EndsStream);
        }
    }

    private void OnSettings(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        SettingsReader settings = new(header, payload);
        HasSettings = true;
        if (settings.IsAnswer)
        {
            owner.OnIdle(header);
        }
        else
        {
            owner.OnSettings(settings);
        }
    }

    private void OnWindowUpdate(in Http2FrameHeader header, int increment)
    {
        if (!owner.OnWindowUpdate(header, increment))
        {
            owner.FailStream(header, Http2ErrorCode.FlowControlError, "a window update raises the flow-control window above 2^31-1");
        }
        else if (increment == 0)
        {
            owner.FailStream(header, Http2ErrorCode.ProtocolError, "a window update has increment 0");
        }
    }
}
