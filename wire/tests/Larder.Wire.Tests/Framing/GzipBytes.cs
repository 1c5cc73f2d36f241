using System.IO.Compression;

namespace Larder.Wire.Tests.Framing;

/// <summary>Compresses messages in the way that a client does.</summary>
internal static class GzipBytes
{
    public static byte[] Of(byte[] message)
    {
        using MemoryStream compressed = new();
        using (GZipStream gzip = new(compressed, CompressionLevel.Optimal))
        {
            gzip.Write(message);
        }

        return compressed.ToArray();
    }
}
