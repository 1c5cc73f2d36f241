namespace Larder.Wire.Http2;

/// <summary>The bytes that a client sends before its first frame (RFC 9113, section 3.4).</summary>
internal static class ConnectionPreface
{
    public static ReadOnlySpan<byte> Bytes => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8;
}
