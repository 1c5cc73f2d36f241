using System.Buffers;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>A copy of a large reply, so that it can be processed on another thread than the node's.</summary>
internal readonly struct LargeReply
{
    /// <summary>A reply with more bytes is large. Wire's limit for a small response is twice this.</summary>
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

    /// <summary>Returns the copy to the pool. What was read from it must not be used any more.</summary>
    public void LetGo() => ArrayPool<byte>.Shared.Return(_frame);
}
