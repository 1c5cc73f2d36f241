using System.Buffers;

namespace Larder.Server.Fleet;

/// <summary>The pattern of SCAN that every key with a prefix matches, and no other.</summary>
internal static class GlobPattern
{
    private static readonly SearchValues<byte> Special = SearchValues.Create("*?[]\\"u8);

    public static byte[] OfPrefix(ReadOnlySpan<byte> prefix)
    {
        ArrayBufferWriter<byte> pattern = new(prefix.Length + 8);
        foreach (byte each in prefix)
        {
            pattern.Write(Special.Contains(each) ? [(byte)'\\', each] : [each]);
        }

        pattern.Write("*"u8);
        return pattern.WrittenSpan.ToArray();
    }
}
