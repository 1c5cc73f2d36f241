using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Larder.FileStore.Engine;

/// <summary>CRC-32C with inverted initial and final values. Each line of the file contains it as 8 lowercase hexadecimal digits.</summary>
internal static class Crc
{
    internal static uint Of(ReadOnlySpan<byte> bytes) => ~Register(bytes, uint.MaxValue);

    /// <summary>
    /// Returns the CRC register after <paramref name="bytes"/>, without the inversions. The register is a linear function of the bits.
    /// <see cref="DamagedRegion"/> relies on this.
    /// </summary>
    internal static uint Register(ReadOnlySpan<byte> bytes, uint register)
    {
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
        {
            register = BitOperations.Crc32C(register, BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word));
        }
        foreach (byte rest in bytes[(words.Length * 8)..])
        {
            register = BitOperations.Crc32C(register, rest);
        }
        return register;
    }

    internal static void WriteHex(uint value, Span<byte> eight)
    {
        ReadOnlySpan<byte> digits = "0123456789abcdef"u8;
        for (int i = 7; i >= 0; i--, value >>= 4)
        {
            eight[i] = digits[(int)(value & 15)];
        }
    }

    internal static bool TryReadHex(ReadOnlySpan<byte> eight, out uint value)
    {
        value = 0;
        foreach (byte digit in eight)
        {
            int nibble = digit is >= (byte)'0' and <= (byte)'9' ? digit - '0' : digit is >= (byte)'a' and <= (byte)'f' ? digit - 'a' + 10 : -1;
            if (nibble < 0)
            {
                return false;
            }
            value = value << 4 | (uint)nibble;
        }
        return true;
    }
}
