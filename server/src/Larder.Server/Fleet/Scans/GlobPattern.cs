using System.Buffers;

namespace Larder.Server.Fleet;

/// <summary>Builds a SCAN pattern that matches exactly the keys with a given prefix.</summary>
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
