using System.Text;

namespace Larder.Lab.Fleet;

/// <summary>Which of a cluster's slots a key with a tag is in: the tag's CRC-16 (XMODEM).</summary>
internal static class KeySlot
{
    public const int Count = 16_384;

    public static int Of(string tag)
    {
        int crc = 0;
        foreach (byte one in Encoding.UTF8.GetBytes(tag))
        {
            crc ^= one << 8;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
        }

        return crc & (Count - 1);
    }
}
