using System.Net;
using Larder.Server.Security;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console;

/// <summary>The rights of a request to the console. Each right includes the rights before it.</summary>
internal enum ConsoleRight
{
    /// <summary>No right: the token is missing or invalid.</summary>
    None,

    /// <summary>The right to read statistics and cache names.</summary>
    Figures,

    /// <summary>The right to view keys and values, and to perform actions.</summary>
    Admin,
}

/// <summary>
/// Checks the rights of requests to the console, and the host names under which the page may be opened.
/// <para> On loopback, if neither an admin token nor a token file is configured, every caller with the right to read may also act. On other addresses, acting
/// always requires the admin token or a token of the token file. </para>
/// <para> If a token file is configured, every request must contain an accepted token. The console accepts a token of the file if its grants apply to all
/// caches. The grant <c>read</c> gives access to statistics, and <c>admin</c> permits actions. </para>
/// </summary>
internal sealed class ConsoleAccess(
    ServerOptions options,
    TokenGate readers,
    TokenGate admins,
    AccessControl? tokens = null,
    Authenticator? authenticator = null)
{
    private const string Bearer = "Bearer ";

    /// <summary>Gets whether the console listens on loopback only.</summary>
    public bool IsLoopback { get; } = IPAddress.IsLoopback(options.ConsoleHost);

    /// <summary>Gets whether any token is required.</summary>
    public bool RequiresReadToken => readers.IsClosed || tokens is not null;

    /// <summary>
    /// Gets whether any request can have the right to act. If the console does not listen on loopback only, this requires an admin token or a token file.
    /// </summary>
    public bool CanAct => IsLoopback || admins.IsClosed || tokens is not null;

    /// <summary>Returns the right that the token of a request gives.</summary>
    public ConsoleRight RightOf(HttpRequest request)
    {
        string token = TokenOf(request);
        ConsoleRight right = RightOf(token);
        if (right == ConsoleRight.None && token.Length > 0)
        {
            authenticator?.ConsoleFailed(request.HttpContext.Connection.RemoteIpAddress, token);
        }

        if (HasValidToken(right, token))
        {
            ConsoleConnections.Of(request.HttpContext)?.Authenticate();
        }

        return right;
    }

    /// <summary>Returns whether an address is blocked because it presented wrong tokens too often.</summary>
    public bool IsBlocked(HttpContext context) => RequiresReadToken && (authenticator?.IsConsoleBlocked(context.Connection.RemoteIpAddress) ?? false);

    // Returns whether the right proves that the token is valid. If reading requires no token, a request with an invalid token also has the right to read, so
    // this right proves nothing.
    private bool HasValidToken(ConsoleRight right, string token) =>
        token.Length > 0 && ((RequiresReadToken && right != ConsoleRight.None) || (admins.IsClosed && right == ConsoleRight.Admin));

    private ConsoleRight RightOf(string token)
    {
        if (admins.IsClosed && admins.Accepts(token))
        {
            return ConsoleRight.Admin;
        }

        return tokens is not null && !(readers.IsClosed && readers.Accepts(token)) ? RightByFile(tokens, token)
            : !readers.Accepts(token) ? ConsoleRight.None
            : IsLoopback && !admins.IsClosed && tokens is null ? ConsoleRight.Admin
            : ConsoleRight.Figures;
    }

    private static ConsoleRight RightByFile(AccessControl tokens, string token) =>
        tokens.Authenticate(token, out AuthenticatedCaller? known) is not null ? ConsoleRight.None
        : known!.Entry.Everywhere.Has(Rights.Admin) ? ConsoleRight.Admin
        : known.Entry.Everywhere.Has(Rights.Read) ? ConsoleRight.Figures
        : ConsoleRight.None;

    /// <summary>
    /// Returns whether the page may be opened under the request's host name. The allowed names are the names of the local machine, the addresses on which the
    /// console listens, and the configured names. If all names were allowed, another site could make its own name resolve to this server (DNS rebinding), and
    /// its pages would then have the same origin as the console.
    /// </summary>
    public bool IsAllowedHostName(HttpContext context)
    {
        string host = context.Request.Host.Host;
        if (IsThisMachine(host) || options.ConsoleNames.Contains(host, StringComparer.OrdinalIgnoreCase))
        {
            return true;
        }

        return IPAddress.TryParse(host, out IPAddress? address)
            && (address.Equals(options.ConsoleHost) || address.Equals(Plain(context.Connection.LocalIpAddress)));
    }

    /// <summary>Returns whether a name refers to the local machine.</summary>
    public static bool IsThisMachine(string host) =>
        host is "localhost" or "[::1]" or "::1" || (IPAddress.TryParse(host, out IPAddress? address) && IPAddress.IsLoopback(address));

    /// <summary>Returns the ID that the caller's token has in the token file; empty if the token file does not contain the token.</summary>
    public string CallerIdOf(HttpRequest request) => tokens?.CallerIdOfToken(TokenOf(request)) ?? "";

    /// <summary>Returns the token of a request; empty if the request has no token.</summary>
    public static string TokenOf(HttpRequest request)
    {
        string given = request.Headers.Authorization.ToString();
        return given.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase) ? given[Bearer.Length..].Trim() : given;
    }

    private static IPAddress? Plain(IPAddress? address) => address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address;
}
