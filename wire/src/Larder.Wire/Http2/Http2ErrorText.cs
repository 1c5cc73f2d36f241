using System.Net.Http;

namespace Larder.Wire.Http2;

/// <summary>Converts a peer's error code to the .NET exception for this error.</summary>
internal static class Http2ErrorText
{
    private static readonly string[] Names =
    [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
        "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ];

    public static HttpProtocolException StreamReset(uint code) => Make($"The HTTP/2 server reset the stream.", code);

    public static HttpProtocolException ConnectionClosed(uint code) => Make("The HTTP/2 server closed the connection.", code);

    public static HttpProtocolException InvalidData(Http2ConnectionException error) =>
        Make($"The HTTP/2 server sent invalid data on the connection: {error.Message}.", (uint)error.Code, error);

    private static HttpProtocolException Make(string what, uint code, Exception? inner = null)
    {
        string name = code < Names.Length ? Names[code] : "(unknown error)";
        return new HttpProtocolException(code, $"{what} HTTP/2 error code '{name}' (0x{code:x}).", inner);
    }
}
