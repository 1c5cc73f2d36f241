using System.Net;
using Larder.Server.Security;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console;

/// <summary>What a request to the console may do.</summary>
internal enum ConsoleRight
{
    /// <summary>Nothing: it shows no token, or a wrong one.</summary>
    None,

    /// <summary>Read figures, and the names of caches.</summary>
    Figures,

    /// <summary>See keys and values, and act.</summary>
    Admin,
}

/// <summary>
/// Who may do what on the console, and under which names its page is opened. On loopback, where no admin token is set, who may read may act; beyond loopback
/// acting always needs the admin token. A file of tokens closes it too, and opens it to those whose grants are for all caches, which it shows: to read figures
/// with <c>read</c>, to act with <c>admin</c>.
/// </summary>
internal sealed class ConsoleAccess(ServerOptions options, TokenGate readers, TokenGate admins, AccessControl? tokens = null, Entrance? entrance = null)
{
    private const string Bearer = "Bearer ";

    /// <summary>Whether it listens on loopback alone.</summary>
    public bool IsLoopback { get; } = IPAddress.IsLoopback(options.ConsoleHost);

    /// <summary>Whether a token is asked for at all.</summary>
    public bool AsksReaders => readers.IsClosed || tokens is not null;

    /// <summary>Whether somebody may act: beyond loopback only where there is an admin token.</summary>
    public bool CanAct => IsLoopback || admins.IsClosed || tokens is not null;

    /// <summary>What the token of a request lets it do.</summary>
    public ConsoleRight RightOf(HttpRequest request)
    {
        string token = TokenOf(request);
        ConsoleRight right = RightOf(token);
        if (right == ConsoleRight.None && token.Length > 0)
        {
            entrance?.ConsoleFailed(request.HttpContext.Connection.RemoteIpAddress, token);
        }

        if (IsProven(right, token))
        {
            ConsoleConnections.Of(request.HttpContext)?.Authenticate();
        }

        return right;
    }

    /// <summary>Whether an address has shown wrong tokens too often, and is refused for a while.</summary>
    public bool IsShut(HttpContext context) => AsksReaders && (entrance?.IsConsoleShut(context.Connection.RemoteIpAddress) ?? false);

    // Whether the right comes from the token: where none is required, any token is accepted.
    private bool IsProven(ConsoleRight right, string token) =>
        token.Length > 0 && ((AsksReaders && right != ConsoleRight.None) || (admins.IsClosed && right == ConsoleRight.Admin));

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
        tokens.Authenticate(token, out KnownToken? known) is not null ? ConsoleRight.None
        : known!.Entry.Everywhere.Has(Rights.Admin) ? ConsoleRight.Admin
        : known.Entry.Everywhere.Has(Rights.Read) ? ConsoleRight.Figures
        : ConsoleRight.None;

    /// <summary>
    /// Whether the page may be opened under the name that the request came by: a name of this machine, an address it listens on, or one that was given. A name
    /// that another site has could lead here any time, and its pages would then be ours.
    /// </summary>
    public bool IsOurName(HttpContext context)
    {
        string host = context.Request.Host.Host;
        if (IsThisMachine(host) || options.ConsoleNames.Contains(host, StringComparer.OrdinalIgnoreCase))
        {
            return true;
        }

        return IPAddress.TryParse(host, out IPAddress? address)
            && (address.Equals(options.ConsoleHost) || address.Equals(Plain(context.Connection.LocalIpAddress)));
    }

    /// <summary>Whether a name is this machine's own for itself.</summary>
    public static bool IsThisMachine(string host) =>
        host is "localhost" or "[::1]" or "::1" || (IPAddress.TryParse(host, out IPAddress? address) && IPAddress.IsLoopback(address));

    /// <summary>The id of who asks, where the file of tokens has it; empty otherwise.</summary>
    public string WhoIs(HttpRequest request) => tokens?.WhoShows(TokenOf(request)) ?? "";

    /// <summary>The token that a request shows; empty where it shows none.</summary>
    public static string TokenOf(HttpRequest request)
    {
        string given = request.Headers.Authorization.ToString();
        return given.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase) ? given[Bearer.Length..].Trim() : given;
    }

    private static IPAddress? Plain(IPAddress? address) => address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address;
}
