using System.Buffers;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>A copy of a large reply, read on another thread than the node's.</summary>
internal readonly struct LargeReply
{
    /// <summary>A reply of more bytes is large. Wire's bound of a small answer is twice that.</summary>
    public const int LargeBytes = 64 * 1024;

    private readonly byte[] _frame;
    private readonly int _length;

    public LargeReply(ReadOnlySpan<byte> frame)
    {
        _frame = ArrayPool<byte>.Shared.Rent(frame.Length);
        _length = frame.Length;
        frame.CopyTo(_frame);
    }

    public RespReader Read() => new(_frame.AsSpan(0, _length));

    /// <summary>Gives the copy back; what was read of it is not valid any more.</summary>
    public void LetGo() => ArrayPool<byte>.Shared.Return(_frame);
}
