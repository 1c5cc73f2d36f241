using System.Buffers;

namespace Larder.Wire.Http2.Hpack;

/// <summary>Checks the rules for fields in HTTP/2 messages (RFC 9113, section 8.2).</summary>
internal static class FieldRules
{
    // A name may contain visible ASCII except for upper-case letters and the colon. The colon is allowed only at the start of a pseudo-header.
    private static readonly SearchValues<char> NameCharacters = SearchValues.Create("!\"#$%&'()*+,-./0123456789;<=>?@[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~");

    private static readonly SearchValues<char> BreaksOfValues = SearchValues.Create("\0\r\n");

    /// <summary>Returns whether a message may contain the field. Blanks before or after a value are accepted (ADR-0034).</summary>
    public static bool Allow(string name, string value)
    {
        ReadOnlySpan<char> rest = name.StartsWith(':') ? name.AsSpan(1) : name;
        return !rest.IsEmpty && !rest.ContainsAnyExcept(NameCharacters) && !value.AsSpan().ContainsAny(BreaksOfValues) && !IsOfConnection(name, value);
    }

    // RFC 9113, section 8.2.2: connection-specific fields of HTTP/1.1 are not allowed.
    private static bool IsOfConnection(string name, string value) => name switch
    {
        "connection" or "keep-alive" or "proxy-connection" or "transfer-encoding" or "upgrade" => true,
        "te" => !value.Equals("trailers", StringComparison.OrdinalIgnoreCase),
        _ => false,
    };
}
