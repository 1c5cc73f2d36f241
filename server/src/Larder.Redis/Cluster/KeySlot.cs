namespace Larder.Redis;

/// <summary>The slot of a key: CRC-16/XMODEM of it, or of its first <c>{tag}</c> that is not empty, modulo 16,384 (Redis Cluster specification).</summary>
internal static class KeySlot
{
    /// <summary>Slots of a cluster.</summary>
    public const int Count = 16_384;

    private const int Polynomial = 0x1021;

    private static readonly ushort[] s_table = MakeTable();

    /// <summary>The slot of a key, 0 to 16,383.</summary>
    public static int Of(ReadOnlySpan<byte> key) => Crc16(Tag(key)) % Count;

    /// <summary>CRC-16/XMODEM: polynomial 0x1021, from 0, nothing reflected.</summary>
    public static ushort Crc16(ReadOnlySpan<byte> bytes)
    {
        ushort[] table = s_table;
        int crc = 0;
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
