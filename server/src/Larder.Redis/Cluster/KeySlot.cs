using System.Text;

namespace Larder.Redis;

/// <summary>
/// Computes the slot of a key: the CRC-16/XMODEM of the key, or of its first non-empty <c>{tag}</c>, modulo 16,384 (Redis Cluster specification).
/// </summary>
public static class KeySlot
{
    /// <summary>The number of slots in a cluster.</summary>
    public const int Count = 16_384;

    private const int Polynomial = 0x1021;

    private static readonly ushort[] s_table = MakeTable();
    private static readonly Lazy<byte[][]> s_tags = new(MakeTags);

    /// <summary>Returns the slot of a key: 0 to 16,383.</summary>
    public static int Of(ReadOnlySpan<byte> key) => Crc16(Tag(key)) % Count;

    /// <summary>Returns the slot of a key that consists of two parts, the first of which must not contain a brace.</summary>
    public static int Of(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> tag = Tag(key);
        return (tag.Length == key.Length ? Crc16(key, Crc16(prefix)) : Crc16(tag)) % Count;
    }

    /// <summary>
    /// Returns a short string of digits and lower-case letters that has the given slot. As a <c>{tag}</c> in a key, the string puts the key into that slot.
    /// </summary>
    /// <param name="slot">The slot: 0 to 16,383.</param>
    public static ReadOnlySpan<byte> TagOf(int slot) => s_tags.Value[slot];

    /// <summary>Computes CRC-16/XMODEM: polynomial 0x1021, without reflection.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="crc">The CRC of the preceding bytes; 0 if there are none.</param>
    internal static ushort Crc16(ReadOnlySpan<byte> bytes, int crc = 0)
    {
        ushort[] table = s_table;
        foreach (byte next in bytes)
        {
            crc = ((crc << 8) ^ table[((crc >> 8) ^ next) & 0xFF]) & 0xFFFF;
        }

        return (ushort)crc;
    }

    // Returns the part that determines the slot: the text between the first '{' and the next '}' if it is not empty, otherwise the whole key.
    private static ReadOnlySpan<byte> Tag(ReadOnlySpan<byte> key)
    {
        int open = key.IndexOf((byte)'{');
        if (open < 0)
        {
            return key;
        }

        ReadOnlySpan<byte> rest = key[(open + 1)..];
        int close = rest.IndexOf((byte)'}');
        return close > 0 ? rest[..close] : key;
    }

    // The first 200,000 or so hexadecimal numbers cover all slots. This takes a few milliseconds, once.
    private static byte[][] MakeTags()
    {
        byte[][] tags = new byte[Count][];
        int left = Count;
        for (int number = 0; left > 0; number++)
        {
            byte[] tag = Encoding.ASCII.GetBytes($"{number:x}");
            int slot = Of(tag);
            left -= tags[slot] is null ? 1 : 0;
            tags[slot] ??= tag;
        }

        return tags;
    }

    private static ushort[] MakeTable()
    {
        ushort[] table = new ushort[256];
        for (int index = 0; index < table.Length; index++)
        {
            int crc = index << 8;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ Polynomial : crc << 1;
            }

            table[index] = (ushort)crc;
        }

        return table;
    }
}
