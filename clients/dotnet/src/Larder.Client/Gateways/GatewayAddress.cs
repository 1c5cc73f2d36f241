namespace Larder.Client;

/// <summary>The address of a gateway and the token for it.</summary>
internal readonly record struct GatewayAddress(Uri Endpoint, string Token)
{
    public static GatewayAddress Of(string host, int port, string token, bool useTls) =>
        new(new UriBuilder(useTls ? Uri.UriSchemeHttps : Uri.UriSchemeHttp, host, port).Uri, token);

    /// <summary>Gets whether the host is a name that must be resolved.</summary>
    public bool IsName => Uri.CheckHostName(Endpoint.DnsSafeHost) is not (UriHostNameType.IPv4 or UriHostNameType.IPv6);

    /// <summary>Returns the address. The text indicates whether there is a token, but does not contain the token.</summary>
    public override string ToString() => Token.Length > 0 ? $"{Endpoint} (with a token)" : Endpoint.ToString();
}
