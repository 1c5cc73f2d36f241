using System.Globalization;

namespace Larder.Client;

/// <summary>
/// A server's address, parsed from <c>http[s]://[token@]host[:port]</c>. <c>larder://</c> means <c>http://</c> (plaintext), and <c>larders://</c> means
/// <c>https://</c> (TLS). Error messages contain the rejected text without the token.
/// </summary>
internal readonly record struct ServerAddress(bool UseTls, string Token, string Host, int Port)
{
    public const int DefaultPort = 8080;
    public const string Form = "http[s]://[token@]host[:port]";

    /// <summary>The maximum number of gateways in a list (GATEWAY-1).</summary>
    public const int MaxGateways = 64;

    /// <summary>Parses one address, or several addresses separated by commas (spec/gateways.md). All addresses must differ and use the same scheme.</summary>
    /// <exception cref="ArgumentException">
    /// An address is invalid, is listed twice, or has a different scheme than the first address, or there are more than <see cref="MaxGateways"/> addresses.
    /// The message contains the position of the address.
    /// </exception>
    public static ServerAddress[] ParseList(string text)
    {
        string[] parts = text.Split(',');
        if (parts.Length == 1)
        {
            return [Parse(text)];
        }

        if (parts.Length > MaxGateways)
        {
            throw new ArgumentException($"The list has {parts.Length} addresses; a client supports at most {MaxGateways} gateways.");
        }

        ServerAddress[] addresses = new ServerAddress[parts.Length];
        for (int i = 0; i < parts.Length; i++)
        {
            addresses[i] = ParsePart(parts[i], $"part {i + 1} of {parts.Length}", addresses.AsSpan(0, i));
        }

        return addresses;
    }

    private static ServerAddress ParsePart(string part, string name, ReadOnlySpan<ServerAddress> before)
    {
        if (string.IsNullOrWhiteSpace(part))
        {
            throw new ArgumentException($"Invalid list of server addresses: {name} is empty.");
        }

        ServerAddress address;
        try
        {
            address = Parse(part);
        }
        catch (ArgumentException refused)
        {
            throw new ArgumentException($"Invalid list of server addresses: {name}: {refused.Message} In a token, write a comma as %2C.", refused);
        }

        string given = Redact(part.Trim(), part.Trim().IndexOf("://", StringComparison.Ordinal) + 3);
        foreach (ServerAddress other in before)
        {
            if (other.UseTls != address.UseTls)
            {
                throw new ArgumentException(
                    $"Invalid list of server addresses: the scheme of {name}, '{given}', differs from the scheme of part 1; use only http or only https.");
            }

            if (other.Port == address.Port && string.Equals(other.Host, address.Host, StringComparison.OrdinalIgnoreCase))
            {
                throw new ArgumentException($"Invalid list of server addresses: {name}, '{given}', is a duplicate.");
            }
        }

        return address;
    }

    /// <exception cref="ArgumentException">The text is not a valid address.</exception>
    public static ServerAddress Parse(string text)
    {
        text = text.Trim();
        int colon = text.IndexOf("://", StringComparison.Ordinal);
        if (colon < 0)
        {
            // The message does not contain the text, because a caller may have passed a token instead of the address.
            throw new ArgumentException($"The server address must start with http:// or https://; use {Form}.");
        }

        string rest = text[(colon + 3)..];
        int end = rest.IndexOfAny(['/', '?', '#']);
        string authority = end < 0 ? rest : rest[..end];
        int at = authority.LastIndexOf('@');
        string host = authority[(at + 1)..];
        // If the last colon is within brackets, it is part of an IPv6 address and does not start the port.
        int port = host.LastIndexOf(':') is var found && found > host.LastIndexOf(']') ? found : -1;
        string given = Redact(text, colon + 3);
        bool useTls = SchemeOf(text[..colon], given);
        if (end >= 0 && rest[end..] != "/")
        {
            throw Refuse(given, "it must not have a path or query");
        }

        string name = port < 0 ? host : host[..port];
        return Uri.CheckHostName(name) == UriHostNameType.Unknown
            ? throw Refuse(given, "its host is invalid")
            : new ServerAddress(
                useTls,
                at < 0 ? "" : Uri.UnescapeDataString(authority[..at]),
                name,
                port < 0 ? DefaultPort : PortOf(host[(port + 1)..], given));
    }

    private static bool SchemeOf(string scheme, string given) => scheme.ToLowerInvariant() switch
    {
        "http" or "larder" => false,
        "https" or "larders" => true,
        _ => throw Refuse(given, $"the scheme '{scheme}://' is not supported"),
    };

    private static int PortOf(string text, string given) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= ushort.MaxValue
            ? port
            : throw Refuse(given, $"the port must be 1 to {ushort.MaxValue}, but is '{text}'");

    // Removes the token from an invalid address. Everything before the last @ is treated as part of the token, regardless of what is invalid.
    private static string Redact(string text, int start)
    {
        int at = text.LastIndexOf('@');
        return at < start ? text : string.Concat(text.AsSpan(0, start), "…", text.AsSpan(at));
    }

    private static ArgumentException Refuse(string given, string why) => new($"Invalid server address '{given}': {why}; use {Form}.");
}
