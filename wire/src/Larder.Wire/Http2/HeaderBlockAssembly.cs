namespace Larder.Wire.Http2;

/// <summary>
/// Puts together a block of headers that goes on in CONTINUATION frames, and sees to it that nothing comes between them. A block within one frame, which nearly
/// all are, never gets here. Bounds: <see cref="Http2Limits.HeaderBytes"/> and <see cref="Http2Limits.Continuations"/>; past them the connection ends.
/// </summary>
internal sealed class HeaderBlockAssembly : IDisposable
{
    private readonly PooledBuffer _block = new(64);
    private int _streamId;
    private int _continuations;
    private long _sinceMs;

    /// <summary>Since when a block has begun and not ended, by <see cref="Environment.TickCount64"/>; 0 where none has. From any thread.</summary>
    public long SinceMs => Volatile.Read(ref _sinceMs);

    /// <summary>Whether the block ends its stream.</summary>
    public bool EndsStream { get; private set; }

    /// <summary>The bytes gathered; the whole block once <see cref="TryEnd"/> has said so, and until the next begins.</summary>
    public ReadOnlySpan<byte> Block => _block.WrittenSpan;

    /// <summary>Checks that a frame may come now: within a block only its own continuations may. RFC 9113, 6.10.</summary>
    /// <exception cref="Http2ConnectionException">It may not.</exception>
    public void CheckOrder(in Http2FrameHeader header)
    {
        if (_streamId != 0 && (header.Type != Http2FrameType.Continuation || header.StreamId != _streamId))
        {
            throw Http2ConnectionException.Protocol("another frame came within a block of headers");
        }
    }

    /// <summary>Begins with the piece of a HEADERS frame that does not end its block.</summary>
    /// <exception cref="Http2ConnectionException">It is over a limit.</exception>
    public void Begin(in Http2FrameHeader header, ReadOnlySpan<byte> piece)
    {
        _streamId = header.StreamId;
        EndsStream = header.Has(Http2FrameHeader.EndStream);
        _continuations = 0;
        Volatile.Write(ref _sinceMs, Environment.TickCount64);
        _block.Reset(Http2Limits.FrameBytes);
        Add(piece);
    }

    /// <summary>Goes on with a CONTINUATION's piece. True where the block is whole by it.</summary>
    /// <exception cref="Http2ConnectionException">No block has begun, or it is over a limit.</exception>
    public bool TryEnd(in Http2FrameHeader header, ReadOnlySpan<byte> piece)
    {
        if (_streamId == 0)
        {
            throw Http2ConnectionException.Protocol("a block of headers goes on that never began");
        }

        if (++_continuations > Http2Limits.Continuations)
        {
            throw Http2ConnectionException.Flood($"a block of headers has more than {Http2Limits.Continuations} continuations");
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
            throw Http2ConnectionException.Flood($"a block of headers is over {Http2Limits.HeaderBytes} bytes");
        }

        piece.CopyTo(_block.GetSpan(piece.Length));
        _block.Advance(piece.Length);
    }
}
