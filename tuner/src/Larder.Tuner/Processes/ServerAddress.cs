namespace Larder.Tuner.Processes;

/// <summary>
/// The address of a running server as users write it: <c>http[s]://[token@]host[:port]</c>, <c>larder[s]://[token@]host[:port]</c>, or only <c>host:port</c>.
/// </summary>
/// <param name="Endpoint">The <c>host:port</c>.</param>
/// <param name="Token">The token before the @, or null. It never appears in messages or files.</param>
/// <param name="UseTls">Whether the scheme is https or larders.</param>
internal sealed record ServerAddress(string Endpoint, string? Token, bool UseTls)
{
    /// <summary>The default ports of a server and of its console.</summary>
    public const int DefaultPort = 8080, DefaultConsolePort = 8081;

    private static readonly string[] s_plain = ["http", "larder", "tcp"];
    private static readonly string[] s_secure = ["https", "larders"];

    /// <summary>Parses an address. Error messages contain the name <paramref name="option"/>.</summary>
    /// <exception cref="FormatException">The address is invalid.</exception>
    public static ServerAddress Parse(string text, string option, int defaultPort = DefaultPort)
    {
        // The scheme is replaced by "tcp" before parsing, because this scheme has no default port. A missing port is then -1 for all schemes.
        int at = text.IndexOf("://", StringComparison.Ordinal);
        string scheme = at < 0 ? "tcp" : text[..at].ToLowerInvariant();
        bool known = at < 0 || (scheme != "tcp" && (s_plain.Contains(scheme) || s_secure.Contains(scheme)));
        if (
            !known
            || !Uri.TryCreate("tcp://" + (at < 0 ? text : text[(at + 3)..]), UriKind.Absolute, out Uri? uri)
            || uri.Host.Length == 0
            || uri.Port == 0
            || uri.AbsolutePath is not ("" or "/")
            || uri.Query.Length + uri.Fragment.Length > 0)
        {
            throw new FormatException($"{option} must be http[s]://[token@]host[:port] or host:port, but is \"{WithoutToken(text)}\"");
        }

        string token = Uri.UnescapeDataString(uri.UserInfo);
        return new ServerAddress($"{uri.Host}:{(uri.Port > 0 ? uri.Port : defaultPort)}", token.Length > 0 ? token : null, s_secure.Contains(scheme));
    }

    /// <summary>Parses the address of a console, which has no token and no TLS.</summary>
    /// <exception cref="FormatException">The address is invalid.</exception>
    public static string ParseConsole(string text, string option) => Parse(text, option, DefaultConsolePort) is { Token: null, UseTls: false } address
        ? address.Endpoint
        : throw new FormatException($"{option} must be host:port, without a token and without TLS, but is \"{WithoutToken(text)}\"");

    /// <summary>Returns the token for a server: the token in its address, otherwise the value of LARDER_TOKEN, or null if there is none.</summary>
    public static string? TokenFor(ServerAddress? server) => server?.Token ?? Environment.GetEnvironmentVariable("LARDER_TOKEN");

    /// <summary>Returns an address for display, whether or not it is valid. Everything that may be a token is replaced by an ellipsis.</summary>
    public static string WithoutToken(string text)
    {
        int end = text.LastIndexOf('@');
        int scheme = text.IndexOf("://", StringComparison.Ordinal);
        return end < 0 ? text : string.Concat(scheme >= 0 && scheme < end ? text[..(scheme + 3)] : "", "…", text[end..]);
    }
}
