using System.Text;

namespace Larder.Lab.Peers.Attacks;

/// <summary>The header block of a call (RFC 7541), without a dynamic table: each call costs the server as much as the first.</summary>
internal static class HeaderBlock
{
    private const byte Post = 0x83, Http = 0x86, Https = 0x87, NeverIndexed = 0x10;

    // A length of 7 bits has one byte; no header of an attack is longer.
    private const int MaxLength = 126;

    /// <summary>A call's block.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="isSecure">Whether it travels over TLS.</param>
    /// <param name="headers">Its metadata; an empty value leaves a header out.</param>
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
