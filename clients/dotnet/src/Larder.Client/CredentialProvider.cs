using System.Security.Cryptography.X509Certificates;

namespace Larder.Client;

/// <summary>
/// Where the server is, and the token to show it. Written as one text: <c>http://host:port</c> for plaintext, <c>https://host:port</c> for TLS,
/// with the token before an @ where there is one: <c>https://token@host:8080</c>. Never prints the token.
/// </summary>
public sealed class CredentialProvider
{
    /// <summary>The environment variable that <see cref="FromEnvironmentVariable"/> reads unless told another.</summary>
    public const string DefaultVariable = "LARDER_URL";

    private CredentialProvider(Uri endpoint, string token)
    {
        Endpoint = endpoint;
        Token = token;
    }

    /// <summary>The server's address: scheme, host and port alone.</summary>
    public Uri Endpoint { get; }

    /// <summary>True where the connection is encrypted.</summary>
    public bool IsSecure => Endpoint.Scheme == Uri.UriSchemeHttps;

    /// <summary>Authorities to trust instead of the system's; null: the system's.</summary>
    public X509Certificate2Collection? TrustedAuthorities { get; private init; }

    /// <summary>True where a token is shown.</summary>
    public bool HasToken => Token.Length > 0;

    // Sent raw as the `authorization` metadata; empty where there is none.
    internal string Token { get; }

    /// <summary>A server on this machine in plaintext, without a token.</summary>
    public static CredentialProvider Local(string host = "127.0.0.1", int port = ServerAddress.DefaultPort) => FromEndpoint(host, port);

    /// <summary>A server by its parts. Throws <see cref="ArgumentException"/> where they make no address.</summary>
    public static CredentialProvider FromEndpoint(string host, int port, string? token = null, bool useTls = false)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(host);
        if (Uri.CheckHostName(host) == UriHostNameType.Unknown)
        {
            throw new ArgumentException($"'{host}' is no host that could be one.", nameof(host));
        }

        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(port);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue);
        return new CredentialProvider(new UriBuilder(useTls ? Uri.UriSchemeHttps : Uri.UriSchemeHttp, host, port).Uri, token ?? "");
    }

    /// <summary>
    /// Reads <c>http[s]://[token@]host[:port]</c>; the port is 8080 where none is given. <c>larder://</c> is <c>http://</c>, <c>larders://</c> is
    /// <c>https://</c>.
    /// Throws <see cref="ArgumentException"/> for anything else, a path or a query among it; the message names what was given, without the token.
    /// </summary>
    public static CredentialProvider FromString(string credentials)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(credentials);
        ServerAddress address = ServerAddress.Parse(credentials);
        return FromEndpoint(address.Host, address.Port, address.Token, address.UseTls);
    }

    /// <summary>
    /// Reads the environment variable, as <see cref="FromString"/>. Throws <see cref="InvalidOperationException"/> where it is not set,
    /// <see cref="ArgumentException"/> where it is no address.
    /// </summary>
    public static CredentialProvider FromEnvironmentVariable(string name = DefaultVariable)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        string? value = Environment.GetEnvironmentVariable(name);
        if (string.IsNullOrWhiteSpace(value))
        {
            throw new InvalidOperationException($"The environment variable {name} is not set; it must read {ServerAddress.Form}.");
        }

        try
        {
            return FromString(value);
        }
        catch (ArgumentException refused)
        {
            throw new ArgumentException($"{name}: {refused.Message}", refused);
        }
    }

    /// <summary>The same server and token, trusting only <paramref name="authorities"/>.</summary>
    public CredentialProvider Trusting(X509Certificate2Collection authorities) =>
        new(Endpoint, Token) { TrustedAuthorities = authorities ?? throw new ArgumentNullException(nameof(authorities)) };

    /// <summary>The address, without the token.</summary>
    public override string ToString() => HasToken ? $"{Endpoint} (with a token)" : Endpoint.ToString();
}
