using System.Globalization;

namespace Larder.Wire.Http2.Hpack;

/// <summary>
/// One field of a message's headers or trailers. The values that calls need are parsed once, when the field is created, because an indexed field is the same
/// object in every message.
/// </summary>
internal sealed class HeaderField
{
    // RFC 7541, section 4.1: the size of an entry is the number of bytes of its name and value, plus 32.
    private const int Overhead = 32;

    public HeaderField(string name, string value)
    {
        Name = name;
        Value = value;
        Size = name.Length + value.Length + Overhead;
        (Kind, Number) = name switch
        {
            ":status" => (HeaderKind.HttpStatus, ParseStatus(value)),
            "content-type" => (HeaderKind.ContentType, value.StartsWith("application/grpc", StringComparison.OrdinalIgnoreCase) ? 1 : 0),
            "grpc-status" => (HeaderKind.GrpcStatus, (int)StatusText.Parse(value)),
            "grpc-message" => (HeaderKind.GrpcMessage, 0),
            "grpc-encoding" => (HeaderKind.GrpcEncoding, 0),
            "grpc-timeout" => (HeaderKind.GrpcTimeout, 0),
            "authorization" => (HeaderKind.Authorization, 0),
            "content-length" => (HeaderKind.ContentLength, ParseLength(value)),
            _ => (HeaderKind.Other, 0),
        };
        IsPseudo = name.StartsWith(':');
        IsWellFormed = FieldRules.Allow(name, value);
    }

    public string Name { get; }

    public string Value { get; }

    /// <summary>Gets the field's size, in bytes, for the header table and for the header list limit.</summary>
    public int Size { get; }

    public HeaderKind Kind { get; }

    /// <summary>Gets whether the name begins with a colon.</summary>
    public bool IsPseudo { get; }

    /// <summary>Gets whether HTTP/2 allows the field (see <see cref="FieldRules"/>). If the field is not allowed, the whole message is malformed.</summary>
    public bool IsWellFormed { get; }

    /// <summary>
    /// Gets the parsed value. Depending on the kind of the field, it is the HTTP status, the gRPC status, or the content length in bytes (-1 if it is invalid).
    /// For a gRPC content type it is 1. For all other fields it is 0.
    /// </summary>
    public int Number { get; }

    private static int ParseLength(string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int length) ? length : -1;

    private static int ParseStatus(string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int status) ? status : 0;
}
