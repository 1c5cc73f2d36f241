using System.Buffers.Binary;
using System.Numerics;

namespace Larder.Store.Snapshots;

/// <summary>Computes CRC-32C checksums, for which processors have an instruction.</summary>
internal static class Checksum
{
    /// <summary>Computes a checksum, optionally continuing a previous one.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="before">The checksum of the preceding bytes; 0 if there are none.</param>
    public static uint Of(ReadOnlySpan<byte> bytes, uint before = 0)
    {
        uint sum = ~before;
        while (bytes.Length >= sizeof(ulong))
        {
            sum = BitOperations.Crc32C(sum, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            bytes = bytes[sizeof(ulong)..];
        }

        foreach (byte one in bytes)
        {
            sum = BitOperations.Crc32C(sum, one);
        }

        return ~sum;
    }
}
