using System.Text;

namespace Larder.Lab.Fleet;

/// <summary>Computes the cluster slot of a key with a hash tag: the CRC-16 (XMODEM) of the tag.</summary>
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
