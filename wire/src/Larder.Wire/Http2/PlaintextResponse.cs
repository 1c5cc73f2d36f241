using System.Buffers.Binary;

namespace Larder.Wire.Http2;

/// <summary>Recognizes, by its first bytes, a peer that does not speak plaintext HTTP/2.</summary>
internal static class PlaintextResponse
{
    // RFC 8446, section 5.1: a TLS record begins with its type (here an alert) and a version whose first byte is 3.
    private const byte TlsAlert = 0x15;
    private const byte TlsMajorVersion = 3;

    // The format of a GOAWAY frame (RFC 9113, section 6.8).
    private const byte GoAway = 7;
    private const int GoAwayCodeAt = 13;
    private const uint Http11Required = 0xD;

    /// <summary>Returns a message that states the protocol of the peer and what to do. Returns null if the bytes may be the start of HTTP/2.</summary>
    /// <param name="first">The first bytes from the peer.</param>
    public static string? ProblemOf(ReadOnlySpan<byte> first)
    {
        if (first is [TlsAlert, TlsMajorVersion, ..])
        {
            return "the port requires TLS; use an https:// address";
        }

        bool isHttp1 = first.StartsWith("HTTP/1"u8)
            || (first.Length >= GoAwayCodeAt + 4 && first[3] == GoAway && BinaryPrimitives.ReadUInt32BigEndian(first[GoAwayCodeAt..]) == Http11Required);
        return isHttp1 ? "the port uses HTTP/1 and may be the console port; use the data port" : null;
    }
}
