using System.Buffers;
using System.Buffers.Binary;

namespace Larder.Tuner.Peers.Floor;

/// <summary>
/// The message format of the floor baseline. The header of 12 bytes contains the payload length, the call number, and the requested response length. It is as
/// long as the overhead of a small operation in a pipeline. The payload is as long as the key and the value of Larder's message together.
/// </summary>
internal static class FloorMessage
{
    public const int HeadBytes = 12;

    public static void Add(ArrayBufferWriter<byte> to, int call, int wanted, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        int length = first.Length + second.Length;
        Span<byte> room = to.GetSpan(HeadBytes + length);
        BinaryPrimitives.WriteInt32LittleEndian(room, length);
        BinaryPrimitives.WriteInt32LittleEndian(room[4..], call);
        BinaryPrimitives.WriteInt32LittleEndian(room[8..], wanted);
        first.CopyTo(room[HeadBytes..]);
        second.CopyTo(room[(HeadBytes + first.Length)..]);
        to.Advance(HeadBytes + length);
    }

    /// <summary>Removes the first message from the buffer. Returns false if the message is incomplete.</summary>
    public static bool TryTake(ref ReadOnlySpan<byte> from, out int call, out int wanted)
    {
        (call, wanted) = (0, 0);
        if (from.Length < HeadBytes)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadInt32LittleEndian(from);
        if (from.Length - HeadBytes < length)
        {
            return false;
        }

        call = BinaryPrimitives.ReadInt32LittleEndian(from[4..]);
        wanted = BinaryPrimitives.ReadInt32LittleEndian(from[8..]);
        from = from[(HeadBytes + length)..];
        return true;
    }
}
