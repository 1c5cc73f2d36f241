namespace Larder.Wire.Http2.Hpack;

/// <summary>The fields of a message that this layer looks at.</summary>
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
