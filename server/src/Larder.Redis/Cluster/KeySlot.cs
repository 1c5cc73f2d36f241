using System.Text;

namespace Larder.Redis;

/// <summary>The slot of a key: CRC-16/XMODEM of it, or of its first <c>{tag}</c> that is not empty, modulo 16,384 (Redis Cluster specification).</summary>
public static class KeySlot
{
    /// <summary>Slots of a cluster.</summary>
    public const int Count = 16_384;

    private const int Polynomial = 0x1021;

    private static readonly ushort[] s_table = MakeTable();
    private static readonly Lazy<byte[][]> s_tags = new(MakeTags);

    /// <summary>The slot of a key, 0 to 16,383.</summary>
    public static int Of(ReadOnlySpan<byte> key) => Crc16(Tag(key)) % Count;

    /// <summary>The slot of a key of two parts, the first of which has no brace.</summary>
    public static int Of(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> tag = Tag(key);
        return (tag.Length == key.Length ? Crc16(key, Crc16(prefix)) : Crc16(tag)) % Count;
    }

    /// <summary>A key of a few bytes, digits and small letters, that is in a slot: as <c>{tag}</c> it brings any key there.</summary>
    /// <param name="slot">0 to 16,383.</param>
    public static ReadOnlySpan<byte> TagOf(int slot) => s_tags.Value[slot];

    /// <summary>CRC-16/XMODEM: polynomial 0x1021, nothing reflected.</summary>
    /// <param name="bytes">What is read.</param>
    /// <param name="crc">Of what stands before them; 0: nothing does.</param>
    internal static ushort Crc16(ReadOnlySpan<byte> bytes, int crc = 0)
    {
        ushort[] table = s_table;
        foreach (byte next in bytes)
        {
            crc = ((crc << 8) ^ table[((crc >> 8) ^ next) & 0xFF]) & 0xFFFF;
        }

        return (ushort)crc;
    }

    // What decides: between the first '{' and the first '}' behind it, where there is anything between them.
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

    // Numbers in base 16 hit all slots within some 200,000: a few milliseconds, once.
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
