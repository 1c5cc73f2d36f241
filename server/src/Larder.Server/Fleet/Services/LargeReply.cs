using System.Buffers;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>A copy of a large value that was replied, read on another thread than the node's.</summary>
internal readonly struct LargeReply
{
    private readonly byte[] _frame;

    public LargeReply(ReadOnlySpan<byte> value)
    {
        byte[] head = Encoding.ASCII.GetBytes($"${value.Length}\r\n");
        _frame = ArrayPool<byte>.Shared.Rent(head.Length + value.Length + 2);
        head.CopyTo(_frame, 0);
        value.CopyTo(_frame.AsSpan(head.Length));
        "\r\n"u8.CopyTo(_frame.AsSpan(head.Length + value.Length));
    }

    public RespReader Read() => new(_frame);

    /// <summary>Gives the copy back; what was read of it is not valid any more.</summary>
    public void LetGo() => ArrayPool<byte>.Shared.Return(_frame);
}
