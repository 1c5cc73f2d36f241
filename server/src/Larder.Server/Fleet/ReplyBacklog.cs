using System.Buffers;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// Messages of answers that came while the output waited for its reader, in pieces. Noted with the stream: a reader that is too far behind is refused.
/// </summary>
/// <param name="stream">Holds what is taken.</param>
internal sealed class ReplyBacklog(DuplexStream stream) : IBufferWriter<byte>
{
    private const int PieceBytes = 64 * 1024;

    private readonly Queue<byte[]> _pieces = new();
    private byte[] _last = [];
    private int _lastWritten;

    /// <summary>Bytes that wait.</summary>
    public int Bytes { get; private set; }

    /// <summary>Hands what waits to <paramref name="output"/>, the oldest first, until it has about so many bytes; the rest waits on.</summary>
    /// <returns>How many it has.</returns>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the output has no room for a piece.</exception>
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

    /// <summary>Forgets what waits.</summary>
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

    // Whoever writes here asks for no size: it is cut where a piece ends.
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
