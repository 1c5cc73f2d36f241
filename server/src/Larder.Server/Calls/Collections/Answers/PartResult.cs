using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>How the answer's part for an element that was asked for begins.</summary>
internal static class PartResult
{
    // CacheResult.
    private const int Hit = 2;
    private const int Miss = 3;

    /// <summary>Bytes of a result.</summary>
    public const int Bytes = 2;

    /// <summary>Writes the head of a message in field 1, and its field 1: whether the element is there.</summary>
    /// <param name="writer">Takes them.</param>
    /// <param name="isPresent">Whether it is.</param>
    /// <param name="following">Bytes of the message that follow.</param>
    public static void Write(ref ProtoWriter writer, bool isPresent, int following)
    {
        writer.WriteLengthPrefix(1, Bytes + following);
        writer.WriteVarintField(1, isPresent ? Hit : (ulong)Miss);
    }
}
