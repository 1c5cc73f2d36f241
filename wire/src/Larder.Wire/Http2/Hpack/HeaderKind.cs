namespace Larder.Wire.Http2.Hpack;

/// <summary>The fields of an answer that a call looks at.</summary>
internal enum HeaderKind
{
    Other,
    HttpStatus,
    ContentType,
    GrpcStatus,
    GrpcMessage,
    GrpcEncoding,
}
