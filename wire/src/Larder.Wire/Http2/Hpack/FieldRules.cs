using System.Buffers;

namespace Larder.Wire.Http2.Hpack;

/// <summary>Which fields a message of HTTP/2 may carry: RFC 9113, 8.2.</summary>
internal static class FieldRules
{
    // Visible ASCII but for capitals and the colon, which only begins pseudo-headers.
    private static readonly SearchValues<char> NameCharacters = SearchValues.Create("!\"#$%&'()*+,-./0123456789;<=>?@[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~");

    private static readonly SearchValues<char> BreaksOfValues = SearchValues.Create("\0\r\n");

    /// <summary>True where the field may be in a message. A blank before or after a value is let pass: ADR-0034.</summary>
    public static bool Allow(string name, string value)
    {
        ReadOnlySpan<char> rest = name.StartsWith(':') ? name.AsSpan(1) : name;
        return !rest.IsEmpty && !rest.ContainsAnyExcept(NameCharacters) && !value.AsSpan().ContainsAny(BreaksOfValues) && !IsOfConnection(name, value);
    }

    // RFC 9113, 8.2.2: what HTTP/1.1 says of its connection has no place here.
    private static bool IsOfConnection(string name, string value) => name switch
    {
        "connection" or "keep-alive" or "proxy-connection" or "transfer-encoding" or "upgrade" => true,
        "te" => !value.Equals("trailers", StringComparison.OrdinalIgnoreCase),
        _ => false,
    };
}
