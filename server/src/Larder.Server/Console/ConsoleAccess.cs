using System.Net;
using Larder.Server.Security;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console;

/// <summary>The right of a request to the console.</summary>
internal enum ConsoleRight
{
    /// <summary>None: the token is missing or wrong.</summary>
    None,

    /// <summary>Read statistics and cache names.</summary>
    Figures,

    /// <summary>View keys and values, and perform actions.</summary>
    Admin,
}

/// <summary>
/// Access control of the console, and the host names of its page. On loopback without an admin token, everybody who may read may also act; beyond
/// loopback, acting always requires the admin token. If a token file is configured, its tokens are accepted too, if their grants apply to all caches:
/// <c>read</c> for statistics, <c>admin</c> for actions. Requests without an accepted token are then rejected.
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

    /// <summary>Gets whether actions are possible at all: beyond loopback only if there is an admin token or a token file.</summary>
    public bool CanAct => IsLoopback || admins.IsClosed || tokens is not null;

    /// <summary>Returns the right of a request, by its token.</summary>
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

    // Whether the right results from the token: if no token is required, any token is accepted.
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
    /// Returns whether the page may be opened under the request's host name: a name of this machine, an address that it listens on, or a configured
    /// name. Another site could make its own name resolve to this server at any time (DNS rebinding), and its pages would then have the console's
    /// origin.
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

    /// <summary>Returns the ID of the caller's token in the token file; empty if it has none.</summary>
    public string CallerIdOf(HttpRequest request) => tokens?.CallerIdOfToken(TokenOf(request)) ?? "";

    /// <summary>Returns the token of a request; empty if it has none.</summary>
    public static string TokenOf(HttpRequest request)
    {
        string given = request.Headers.Authorization.ToString();
        return given.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase) ? given[Bearer.Length..].Trim() : given;
    }

    private static IPAddress? Plain(IPAddress? address) => address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address;
}
