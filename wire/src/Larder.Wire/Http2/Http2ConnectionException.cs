namespace Larder.Wire.Http2;

/// <summary>The exception for a violation of HTTP/2 by the peer. The connection ends with a GOAWAY frame that contains this exception's code.</summary>
internal sealed class Http2ConnectionException(Http2ErrorCode code, string message) : Exception(message)
{
    public Http2ErrorCode Code { get; } = code;

    public static Http2ConnectionException Protocol(string message) => new(Http2ErrorCode.ProtocolError, message);

    public static Http2ConnectionException Compression(string message) => new(Http2ErrorCode.CompressionError, message);

    public static Http2ConnectionException FrameSize(string message) => new(Http2ErrorCode.FrameSizeError, message);

    public static Http2ConnectionException FlowControl(string message) => new(Http2ErrorCode.FlowControlError, message);

    public static Http2ConnectionException Flood(string message) => new(Http2ErrorCode.EnhanceYourCalm, message);
}
