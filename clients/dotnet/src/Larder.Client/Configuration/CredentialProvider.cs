using System.Security.Cryptography.X509Certificates;

namespace Larder.Client;

/// <summary>
/// The server's address and the token. The text form is <c>http://host:port</c> for plaintext or <c>https://host:port</c> for TLS, with an optional token
/// before an @: <c>https://token@host:8080</c>. The addresses of several gateways of one fleet are separated by commas:
/// <c>http://gateway1:8080,http://gateway2:8080</c> (protocol/spec/gateways.md). Error messages and <see cref="ToString"/> do not contain the token.
/// </summary>
public sealed class CredentialProvider
{
    /// <summary>The environment variable that <see cref="FromEnvironmentVariable"/> reads by default.</summary>
    public const string DefaultVariable = "LARDER_URL";

    private CredentialProvider(IReadOnlyList<GatewayAddress> gateways) => Gateways = gateways;

    /// <summary>Gets the server's address: scheme, host and port. If there are several gateways, this is the address of the first.</summary>
    public Uri Endpoint => Gateways[0].Endpoint;

    /// <summary>Gets the addresses of all gateways, in the given order, or the address of the only server.</summary>
    public IReadOnlyList<Uri> Endpoints => [.. Gateways.Select(static gateway => gateway.Endpoint)];

    /// <summary>Gets whether connections use TLS.</summary>
    public bool IsSecure => Endpoint.Scheme == Uri.UriSchemeHttps;

    /// <summary>Gets the certificate authorities to trust instead of the system's authorities. Null if the system's authorities are trusted.</summary>
    public X509Certificate2Collection? TrustedAuthorities { get; private init; }

    /// <summary>Gets whether a token is sent to any of the servers.</summary>
    public bool HasToken => TokenProvider is not null || Gateways.Any(static gateway => gateway.Token.Length > 0);

    /// <summary>Gets the provider of the token for all servers, or null if the token is fixed or there is no token.</summary>
    internal TokenProvider? TokenProvider { get; private init; }

    /// <summary>Gets the files with the trusted authorities and the client's certificate, or null if no files are configured.</summary>
    internal TlsFiles? TlsFiles { get; private init; }

    internal IReadOnlyList<GatewayAddress> Gateways { get; }

    // The token, which is sent unchanged as the `authorization` metadata. Empty if there is no token. If there are several servers, this is the token for the
    // first server.
    internal string Token => Gateways[0].Token;

    /// <summary>Creates the credentials for a server without TLS and without a token. By default, the server is on this machine and its port is 8080.</summary>
    public static CredentialProvider Local(string host = "127.0.0.1", int port = ServerAddress.DefaultPort) => FromEndpoint(host, port);

    /// <summary>
    /// Creates the credentials from the parts of an address. By default there is no token and no TLS. Throws <see cref="ArgumentException"/> if the parts do
    /// not form a valid address.
    /// </summary>
    public static CredentialProvider FromEndpoint(string host, int port, string? token = null, bool useTls = false)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(host);
        if (Uri.CheckHostName(host) == UriHostNameType.Unknown)
        {
            throw new ArgumentException($"Invalid host '{host}'.", nameof(host));
        }

        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(port);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue);
        return new CredentialProvider([GatewayAddress.Of(host, port, token ?? "", useTls)]);
    }

    /// <summary>
    /// Parses an address of the form <c>http[s]://[token@]host[:port]</c>, or up to 64 addresses separated by commas. The default port is 8080.
    /// <c>larder://</c> means <c>http://</c>, and <c>larders://</c> means <c>https://</c>. Throws <see cref="ArgumentException"/> for any other text, such as
    /// an address with a path or a query. The exception's message contains the address without the token.
    /// </summary>
    public static CredentialProvider FromString(string credentials)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(credentials);
        ServerAddress[] addresses = ServerAddress.ParseList(credentials);
        return new CredentialProvider(
            [.. addresses.Select(static address => GatewayAddress.Of(address.Host, address.Port, address.Token, address.UseTls))]);
    }

    /// <summary>
    /// Parses the value of an environment variable as <see cref="FromString"/> does. The default variable is <c>LARDER_URL</c>. Throws
    /// <see cref="InvalidOperationException"/> if the variable is missing or empty, and <see cref="ArgumentException"/> if its value is not a valid address.
    /// </summary>
    public static CredentialProvider FromEnvironmentVariable(string name = DefaultVariable)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        string? value = Environment.GetEnvironmentVariable(name);
        if (string.IsNullOrWhiteSpace(value))
        {
            throw new InvalidOperationException($"The environment variable {name} is not set; set it to {ServerAddress.Form}.");
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

    /// <summary>Returns a copy of these credentials that trusts only certificates issued by <paramref name="authorities"/>.</summary>
    public CredentialProvider Trusting(X509Certificate2Collection authorities) =>
        With(Gateways, trusted: authorities ?? throw new ArgumentNullException(nameof(authorities)));

    /// <summary>Returns a copy of these credentials that sends <paramref name="token"/> to each server. If the token is empty, no token is sent.</summary>
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
    /// Returns a copy of these credentials with tokens from <paramref name="provider"/>. The client requests a token before its first call, and again when the
    /// server rejects the token, but at most once per second.
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
    /// Returns a copy of these credentials with TLS files: trusted authorities and a client certificate. This method reads and checks the files. If the files
    /// change later, they are read again for the next connection.
    /// </summary>
    /// <exception cref="ArgumentException">
    /// A file cannot be used, or the servers do not use TLS. The message contains the name of the file and the reason.
    /// </exception>
    public CredentialProvider WithTls(TlsOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (!IsSecure)
        {
            throw new ArgumentException($"TLS options require an https:// address, but the address is '{Endpoint}'.", nameof(options));
        }

        return With(Gateways, new TlsFiles(options, TimeProvider.System), TrustedAuthorities);
    }

    /// <summary>Returns the addresses, without tokens.</summary>
    public override string ToString() => string.Join(", ", Gateways);

    // Returns a copy of these credentials for only one of the servers.
    internal CredentialProvider Only(GatewayAddress gateway) => With([gateway]);

    private CredentialProvider With(IReadOnlyList<GatewayAddress> gateways, TlsFiles? files = null, X509Certificate2Collection? trusted = null) => new(gateways)
    {
        TrustedAuthorities = trusted ?? TrustedAuthorities,
        TlsFiles = files ?? TlsFiles,
        TokenProvider = TokenProvider,
    };
}
