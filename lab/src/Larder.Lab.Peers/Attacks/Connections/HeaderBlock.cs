using System.Text;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// Encodes the header block of a call (RFC 7541) without using the dynamic table, so that each call costs the server as much as the first one.
/// </summary>
internal static class HeaderBlock
{
    private const byte Post = 0x83, Http = 0x86, Https = 0x87, NeverIndexed = 0x10;

    // Lengths of up to 7 bits take one byte. All headers of the attacks are short enough for this.
    private const int MaxLength = 126;

    /// <summary>Returns the header block of a call.</summary>
    /// <param name="path">The path.</param>
    /// <param name="isSecure">Whether the call is sent over TLS.</param>
    /// <param name="headers">The metadata; headers with an empty value are omitted.</param>
    public static byte[] Of(string path, bool isSecure, params (string Name, string Value)[] headers)
    {
        List<byte> block = [Post, isSecure ? Https : Http];
        Add(block, ":path", path);
        Add(block, ":authority", "localhost");
        Add(block, "content-type", "application/grpc");
        Add(block, "te", "trailers");
        foreach ((string name, string value) in headers.Where(header => header.Value.Length > 0))
        {
            Add(block, name, value);
        }

        return [.. block];
    }

    private static void Add(List<byte> block, string name, string value)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value.Length, MaxLength);
        block.AddRange([NeverIndexed, (byte)name.Length, .. Encoding.ASCII.GetBytes(name), (byte)value.Length, .. Encoding.ASCII.GetBytes(value)]);
    }
}
