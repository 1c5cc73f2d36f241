namespace Larder.Wire.Http2.Hpack;

/// <summary>The header fields that this layer interprets.</summary>
internal enum HeaderKind
{
    Other,
    HttpStatus,
    ContentType,
    GrpcStatus,
    GrpcMessage,
    GrpcEncoding,
    ContentLength,
    GrpcTimeout,
    Authorization,
}
