namespace Larder.Tuner.Processes;

/// <summary>
/// Where a server that runs already is, as users write it: <c>http[s]://[token@]host[:port]</c>, <c>larder[s]://</c> alike, or only <c>host:port</c>.
/// </summary>
/// <param name="Endpoint"><c>host:port</c>.</param>
/// <param name="Token">The token before the @; null for none. No message and no file names it.</param>
/// <param name="UseTls">Whether it was written with https or larders.</param>
internal sealed record ServerAddress(string Endpoint, string? Token, bool UseTls)
{
    /// <summary>The port of a server where none is written, and of its console.</summary>
    public const int DefaultPort = 8080, DefaultConsolePort = 8081;

    private static readonly string[] s_plain = ["http", "larder", "tcp"];
    private static readonly string[] s_secure = ["https", "larders"];

    /// <summary>Reads an address; <paramref name="option"/> names it in the error.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static ServerAddress Parse(string text, string option, int defaultPort = DefaultPort)
    {
        // Under a scheme of no default port, one that is not written is -1 for every spelling alike.
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
            throw new FormatException($"{option} is http[s]://[token@]host[:port], or host:port; not \"{WithoutToken(text)}\"");
        }

        string token = Uri.UnescapeDataString(uri.UserInfo);
        return new ServerAddress($"{uri.Host}:{(uri.Port > 0 ? uri.Port : defaultPort)}", token.Length > 0 ? token : null, s_secure.Contains(scheme));
    }

    /// <summary>Reads a console's address, which takes no token and no TLS.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static string ParseConsole(string text, string option) => Parse(text, option, DefaultConsolePort) is { Token: null, UseTls: false } address
        ? address.Endpoint
        : throw new FormatException($"{option} is host:port, without a token and without TLS; not \"{WithoutToken(text)}\"");

    /// <summary>The token to show a server: that of its address, where one was given with a token, or LARDER_TOKEN's; null for none.</summary>
    public static string? TokenFor(ServerAddress? server) => server?.Token ?? Environment.GetEnvironmentVariable("LARDER_TOKEN");

    /// <summary>An address, good or bad, to be shown: what may be a token is dots.</summary>
    public static string WithoutToken(string text)
    {
        int end = text.LastIndexOf('@');
        int scheme = text.IndexOf("://", StringComparison.Ordinal);
        return end < 0 ? text : string.Concat(scheme >= 0 && scheme < end ? text[..(scheme + 3)] : "", "…", text[end..]);
    }
}
