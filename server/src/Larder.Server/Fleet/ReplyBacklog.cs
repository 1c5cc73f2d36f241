using System.Buffers;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>Messages of answers that came while the output waited for its reader. Noted with the stream: a reader that is too far behind is refused.</summary>
/// <param name="stream">Holds what is taken.</param>
internal sealed class ReplyBacklog(DuplexStream stream) : IBufferWriter<byte>
{
    private byte[] _array = [];
    private int _written;

    /// <summary>Bytes that wait.</summary>
    public int Bytes => _written;

    /// <summary>Hands what waits to <paramref name="output"/>, and lets go of it.</summary>
    public void MoveTo(IBufferWriter<byte> output)
    {
        output.Write(_array.AsSpan(0, _written));
        LetGo();
    }

    /// <summary>Forgets what waits.</summary>
    public void LetGo()
    {
        _written = 0;
        if (_array.Length > 0)
        {
            stream.Release(_array.Length);
            ArrayPool<byte>.Shared.Return(_array);
            _array = [];
        }
    }

    public void Advance(int count) => _written += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _array.AsMemory(_written);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _array.AsSpan(_written);
    }

    private void Reserve(int count)
    {
        if (_array.Length - _written >= count)
        {
            return;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(2 * _array.Length, _written + count));
        try
        {
            stream.Hold(larger.Length);
        }
        catch (RpcException)
        {
            ArrayPool<byte>.Shared.Return(larger);
            throw;
        }

        _array.AsSpan(0, _written).CopyTo(larger);
        int written = _written;
        LetGo();
        _array = larger;
        _written = written;
    }
}
