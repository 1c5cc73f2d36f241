using System.Buffers;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// Buffers responses in chunks while the output waits for the client to read. The chunks count towards the stream's memory budget. If the client is too far
/// behind, the budget rejects the next chunk.
/// </summary>
/// <param name="stream">The stream whose memory budget is used.</param>
internal sealed class ReplyBacklog(DuplexStream stream) : IBufferWriter<byte>
{
    private const int PieceBytes = 64 * 1024;

    private readonly Queue<byte[]> _pieces = new();
    private byte[] _last = [];
    private int _lastWritten;

    /// <summary>Gets the number of buffered bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>
    /// Moves the oldest buffered bytes to <paramref name="output"/> until about the given number of bytes has been moved. The remaining bytes stay buffered.
    /// </summary>
    /// <returns>The number of bytes moved.</returns>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the output has no memory for a chunk.</exception>
    public int MoveTo(IBufferWriter<byte> output, int enoughBytes)
    {
        int moved = 0;
        while (moved < enoughBytes && _pieces.TryPeek(out byte[]? piece))
        {
            int length = ReferenceEquals(piece, _last) ? _lastWritten : PieceBytes;
            output.Write(piece.AsSpan(0, length));
            moved += length;
            Bytes -= length;
            Drop();
        }

        return moved;
    }

    /// <summary>Discards all buffered bytes.</summary>
    public void LetGo()
    {
        while (_pieces.Count > 0)
        {
            Drop();
        }

        Bytes = 0;
    }

    public void Advance(int count)
    {
        _lastWritten += count;
        Bytes += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _last.AsMemory(_lastWritten, PieceBytes - _lastWritten);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _last.AsSpan(_lastWritten, PieceBytes - _lastWritten);
    }

    // A caller must not request more than one byte, because only a part of the last chunk may be free.
    private void Reserve(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sizeHint, 1);
        if (_last.Length == 0 || _lastWritten == PieceBytes)
        {
            stream.Hold(PieceBytes);
            _last = ArrayPool<byte>.Shared.Rent(PieceBytes);
            _lastWritten = 0;
            _pieces.Enqueue(_last);
        }
    }

    private void Drop()
    {
        byte[] piece = _pieces.Dequeue();
        stream.Release(PieceBytes);
        ArrayPool<byte>.Shared.Return(piece);
        if (ReferenceEquals(piece, _last))
        {
            _last = [];
            _lastWritten = 0;
        }
    }
}
