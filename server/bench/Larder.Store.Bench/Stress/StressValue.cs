using System.Runtime.InteropServices;

namespace Larder.Store.Bench;

/// <summary>A value of at least 16 bytes. Each of its words depends on the key, the length and the set that wrote the value.</summary>
internal static class StressValue
{
    public const int MinBytes = 16;

    public static Span<byte> Fill(byte[] buffer, int key, long version, int length)
    {
        Span<byte> value = buffer.AsSpan(0, length);
        Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(value);
        ulong mark = Mark(key, version);
        words[0] = (ulong)version;
        words[1] = ((ulong)key << 32) | (uint)length;
        for (int i = 2; i < words.Length; i++)
        {
            words[i] = mark + (ulong)i;
        }

        value[(length & ~7)..].Fill((byte)mark);
        return value;
    }

    /// <summary>Returns what is wrong with a value that was read for a key; null if the value is intact.</summary>
    public static string? FaultIn(ReadOnlySpan<byte> value, int key, out long version)
    {
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(value);
        version = 0;
        if (words.Length < 2 || words[1] != (((ulong)key << 32) | (uint)value.Length))
        {
            return $"crossed or torn: {value.Length} bytes";
        }

        version = (long)words[0];
        ulong mark = Mark(key, version);
        for (int i = 2; i < words.Length; i++)
        {
            if (words[i] != mark + (ulong)i)
            {
                return $"torn at word {i} of {value.Length} bytes";
            }
        }

        return value[(value.Length & ~7)..].IndexOfAnyExcept((byte)mark) < 0 ? null : "torn at its end";
    }

    private static ulong Mark(int key, long version) => ((ulong)key * 0x9E3779B97F4A7C15) + ((ulong)version * 0xC2B2AE3D27D4EB4F);
}
