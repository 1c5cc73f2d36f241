using System.Security.Cryptography.X509Certificates;

namespace Larder.Client;

/// <summary>
/// Where the server is, and the token to show it. Written as one text: <c>http://host:port</c> for plaintext, <c>https://host:port</c> for TLS,
/// with the token before an @ where there is one: <c>https://token@host:8080</c>. Several servers of one fleet, its gateways, have commas between
/// them: <c>http://gateway1:8080,http://gateway2:8080</c> (protocol/spec/gateways.md). Never prints the token.
/// </summary>
public sealed class CredentialProvider
{
    /// <summary>The environment variable that <see cref="FromEnvironmentVariable"/> reads unless told another.</summary>
    public const string DefaultVariable = "LARDER_URL";

    private CredentialProvider(IReadOnlyList<GatewayAddress> gateways) => Gateways = gateways;

    /// <summary>The server's address: scheme, host and port alone. Of several, the first.</summary>
    public Uri Endpoint => Gateways[0].Endpoint;

    /// <summary>The addresses of all gateways, in the order given; of one server, its own.</summary>
    public IReadOnlyList<Uri> Endpoints => [.. Gateways.Select(static gateway => gateway.Endpoint)];

    /// <summary>True where the connection is encrypted.</summary>
    public bool IsSecure => Endpoint.Scheme == Uri.UriSchemeHttps;

    /// <summary>Authorities to trust instead of the system's; null: the system's.</summary>
    public X509Certificate2Collection? TrustedAuthorities { get; private init; }

    /// <summary>True where a token is shown, to any of the servers.</summary>
    public bool HasToken => TokenProvider is not null || Gateways.Any(static gateway => gateway.Token.Length > 0);

    /// <summary>What gives the token of all servers; null: nothing does.</summary>
    internal TokenProvider? TokenProvider { get; private init; }

    /// <summary>Whom to trust and what to show, by files.</summary>
    internal TlsFiles? TlsFiles { get; private init; }

    internal IReadOnlyList<GatewayAddress> Gateways { get; }

    // Sent raw as the `authorization` metadata; empty where there is none. Of several servers, the first's.
    internal string Token => Gateways[0].Token;

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
        return new CredentialProvider([GatewayAddress.Of(host, port, token ?? "", useTls)]);
    }

    /// <summary>
    /// Reads <c>http[s]://[token@]host[:port]</c>, or up to 64 of them with commas between; the port is 8080 where none is given. <c>larder://</c> is
    /// <c>http://</c>, <c>larders://</c> is <c>https://</c>.
    /// Throws <see cref="ArgumentException"/> for anything else, a path or a query among it; the message names what was given, without the token.
    /// </summary>
    public static CredentialProvider FromString(string credentials)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(credentials);
        ServerAddress[] addresses = ServerAddress.ParseList(credentials);
        return new CredentialProvider(
            [.. addresses.Select(static address => GatewayAddress.Of(address.Host, address.Port, address.Token, address.UseTls))]);
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

    /// <summary>The same servers and tokens, trusting only <paramref name="authorities"/>.</summary>
    public CredentialProvider Trusting(X509Certificate2Collection authorities) =>
        With(Gateways, trusted: authorities ?? throw new ArgumentNullException(nameof(authorities)));

    /// <summary>The same servers, each shown <paramref name="token"/>; empty: none.</summary>
    public CredentialProvider WithToken(string token)
    {
        ArgumentNullException.ThrowIfNull(token);
        return new CredentialProvider([.. Gateways.Select(gateway => gateway with { Token = token })])
        {
            TrustedAuthorities = TrustedAuthorities,
            TlsFiles = TlsFiles,
        };
    }

    /// <summary>
    /// The same servers, each shown the token that <paramref name="provider"/> gives: asked before the first call, and again when the server refuses what it
    /// gave, at most once a second.
    /// </summary>
    public CredentialProvider WithToken(TokenProvider provider)
    {
        ArgumentNullException.ThrowIfNull(provider);
        return new CredentialProvider([.. Gateways.Select(static gateway => gateway with { Token = "" })])
        {
            TrustedAuthorities = TrustedAuthorities,
            TlsFiles = TlsFiles,
            TokenProvider = provider,
        };
    }

    /// <summary>
    /// The same servers, with files for TLS: whom to trust, and what to show. They are read and checked now, and again for each connection once they have
    /// changed.
    /// </summary>
    /// <exception cref="ArgumentException">A file cannot be used: the message says which, and why. Or the servers have no TLS.</exception>
    public CredentialProvider WithTls(TlsOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (!IsSecure)
        {
            throw new ArgumentException($"'{Endpoint}' is reached without TLS: the address begins with https://.", nameof(options));
        }

        return With(Gateways, new TlsFiles(options, TimeProvider.System), TrustedAuthorities);
    }

    /// <summary>The address, or addresses, without the token.</summary>
    public override string ToString() => string.Join(", ", Gateways);

    // One of the servers by itself.
    internal CredentialProvider Only(GatewayAddress gateway) => With([gateway]);

    private CredentialProvider With(IReadOnlyList<GatewayAddress> gateways, TlsFiles? files = null, X509Certificate2Collection? trusted = null) => new(gateways)
    {
        TrustedAuthorities = trusted ?? TrustedAuthorities,
        TlsFiles = files ?? TlsFiles,
        TokenProvider = TokenProvider,
    };
}
