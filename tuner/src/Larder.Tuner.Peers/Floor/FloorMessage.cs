using System.Buffers;
using System.Buffers.Binary;

namespace Larder.Tuner.Peers.Floor;

/// <summary>
/// What the floor's two ends say to each other: 12 bytes (the length of what follows, the call's number, the length of the answer that is wanted), then as many
/// bytes as Larder's own message of that call has for its key and value. 12 is what a small operation of a pipeline has around them.
/// </summary>
internal static class FloorMessage
{
    /// <summary>Bytes before what follows.</summary>
    public const int HeadBytes = 12;

    /// <summary>Adds one.</summary>
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

    /// <summary>Takes the first off; false where it is not whole.</summary>
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
