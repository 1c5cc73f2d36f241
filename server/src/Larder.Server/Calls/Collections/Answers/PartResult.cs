using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Writes the beginning of the result for one requested element.</summary>
internal static class PartResult
{
    // The values of CacheResult.
    private const int Hit = 2;
    private const int Miss = 3;

    /// <summary>The encoded size of a hit or miss in bytes.</summary>
    public const int Bytes = 2;

    /// <summary>Writes the tag and length of a message in field 1, and the message's own field 1, which contains "hit" or "miss".</summary>
    /// <param name="writer">The output.</param>
    /// <param name="isPresent">Whether the element exists.</param>
    /// <param name="following">The number of bytes of the message that the caller writes afterwards.</param>
    public static void Write(ref ProtoWriter writer, bool isPresent, int following)
    {
        writer.WriteLengthPrefix(1, Bytes + following);
        writer.WriteVarintField(1, isPresent ? Hit : (ulong)Miss);
    }
}
