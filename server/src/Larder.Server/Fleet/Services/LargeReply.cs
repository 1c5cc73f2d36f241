using System.Buffers;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>A copy of a large reply. The copy can be processed on a thread other than the one that reads from the node.</summary>
internal readonly struct LargeReply
{
    /// <summary>The size in bytes above which a reply is large. It is half of Wire's limit for a small response.</summary>
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

    /// <summary>Returns the copy to the pool. Data that was read from the copy must not be used afterwards.</summary>
    public void LetGo() => ArrayPool<byte>.Shared.Return(_frame);
}
