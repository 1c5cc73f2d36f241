namespace Larder.Wire.Http2;

/// <summary>
/// Assembles a header block that continues in CONTINUATION frames, and checks that no other frame interrupts the block. A block that fits in one frame does not
/// use this class. Almost all blocks fit. The limits are <see cref="Http2Limits.HeaderBytes"/> and <see cref="Http2Limits.Continuations"/>. If a limit is
/// exceeded, the connection ends.
/// </summary>
internal sealed class HeaderBlockAssembly : IDisposable
{
    private readonly PooledBuffer _block = new(64);
    private int _streamId;
    private int _continuations;
    private long _sinceMs;

    /// <summary>
    /// Gets the time at which the current unfinished block began, as <see cref="Environment.TickCount64"/>, or 0 if there is no such block. Safe to call from
    /// any thread.
    /// </summary>
    public long SinceMs => Volatile.Read(ref _sinceMs);

    /// <summary>Gets whether the block ends its stream.</summary>
    public bool EndsStream { get; private set; }

    /// <summary>
    /// Gets the bytes of the block gathered so far. After <see cref="TryEnd"/> has returned true, they are the whole block. They stay valid until the next
    /// block begins.
    /// </summary>
    public ReadOnlySpan<byte> Block => _block.WrittenSpan;

    /// <summary>
    /// Checks that a frame is allowed at this point. Within a block, only the CONTINUATION frames of the block are allowed (RFC 9113, section 6.10).
    /// </summary>
    /// <exception cref="Http2ConnectionException">The frame is not allowed.</exception>
    public void CheckOrder(in Http2FrameHeader header)
    {
        if (_streamId != 0 && (header.Type != Http2FrameType.Continuation || header.StreamId != _streamId))
        {
            throw Http2ConnectionException.Protocol("another frame interrupted a header block");
        }
    }

    /// <summary>Begins a block with the fragment of a HEADERS frame that lacks END_HEADERS.</summary>
    /// <exception cref="Http2ConnectionException">The block exceeds a limit.</exception>
    public void Begin(in Http2FrameHeader header, ReadOnlySpan<byte> piece)
    {
        _streamId = header.StreamId;
        EndsStream = header.Has(Http2FrameHeader.EndStream);
        _continuations = 0;
        Volatile.Write(ref _sinceMs, Environment.TickCount64);
        _block.Reset(Http2Limits.FrameBytes);
        Add(piece);
    }

    /// <summary>Adds the fragment of a CONTINUATION frame. Returns true if the block is now complete.</summary>
    /// <exception cref="Http2ConnectionException">No block has begun, or the block exceeds a limit.</exception>
    public bool TryEnd(in Http2FrameHeader header, ReadOnlySpan<byte> piece)
    {
        if (_streamId == 0)
        {
            throw Http2ConnectionException.Protocol("a CONTINUATION frame arrived without a HEADERS frame");
        }

        if (++_continuations > Http2Limits.Continuations)
        {
            throw Http2ConnectionException.Flood($"a header block has more than {Http2Limits.Continuations} CONTINUATION frames");
        }

        Add(piece);
        if (!header.Has(Http2FrameHeader.EndHeaders))
        {
            return false;
        }

        _streamId = 0;
        Volatile.Write(ref _sinceMs, 0);
        return true;
    }

    public void Dispose() => _block.Dispose();

    private void Add(ReadOnlySpan<byte> piece)
    {
        if (_block.Written + piece.Length > Http2Limits.HeaderBytes)
        {
            throw Http2ConnectionException.Flood($"a header block exceeds {Http2Limits.HeaderBytes} bytes");
        }

        piece.CopyTo(_block.GetSpan(piece.Length));
        _block.Advance(piece.Length);
    }
}
