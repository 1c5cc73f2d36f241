using System.Globalization;

namespace Larder.Wire.Http2.Hpack;

/// <summary>
/// One field of a message's headers or trailers. What a call looks at is read once, when the field is made: an indexed field is the same object in every
/// message.
/// </summary>
internal sealed class HeaderField
{
    // RFC 7541, 4.1: an entry counts for its bytes and 32 more.
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

    /// <summary>What the field counts for in a table and in a list's limit, in bytes.</summary>
    public int Size { get; }

    public HeaderKind Kind { get; }

    /// <summary>True where its name begins with a colon.</summary>
    public bool IsPseudo { get; }

    /// <summary>False where HTTP/2 lets no message carry it: its whole message is malformed then. See <see cref="FieldRules"/>.</summary>
    public bool IsWellFormed { get; }

    /// <summary>
    /// The HTTP status, the gRPC status, the content's length in bytes (-1 where it is none), or 1 for the content type of gRPC; 0 otherwise.
    /// </summary>
    public int Number { get; }

    private static int ParseLength(string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int length) ? length : -1;

    private static int ParseStatus(string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int status) ? status : 0;
}
