using System.Globalization;
using System.Net.Security;

namespace Larder.Redis;

/// <content>Parses a URL. .NET's <see cref="Uri"/> does not support several hosts.</content>
public sealed partial record RedisOptions
{
    /// <summary>
    /// Parses <c>redis://user:password@host1:7000,host2:7000</c>, or <c>rediss://</c> for TLS. User and password are percent-encoded and optional.
    /// The default port is 6379. The only path allowed is <c>/0</c>, because a cluster has one database.
    /// </summary>
    /// <param name="url">The URL.</param>
    /// <param name="password">The password if it is not in the URL, without percent-encoding; null if there is no such password.</param>
    /// <exception cref="FormatException">The URL is invalid. The message states the problem and never contains the password.</exception>
    public static RedisOptions Parse(string url, string? password = null)
    {
        ArgumentNullException.ThrowIfNull(url);
        int schemeEnd = url.IndexOf("://", StringComparison.Ordinal);
        bool? isSecure = (schemeEnd < 0 ? "" : url[..schemeEnd]) switch
        {
            "redis" => false,
            "rediss" => true,
            _ => throw new FormatException("The store's URL must start with redis:// or rediss:// (TLS)."),
        };
        string rest = url[(schemeEnd + 3)..];
        // Search for the last '@', because a password may contain an '@' that is not percent-encoded.
        int at = rest.LastIndexOf('@');
        (string? user, string? given) = at < 0 ? (null, null) : ParseLogin(rest[..at]);
        if (given is not null && password is not null)
        {
            throw new FormatException("The store's URL contains a password, and another one is set; remove one of them.");
        }

        if (user is not null && given is null && password is null)
        {
            throw new FormatException("The store's URL has a user without a password; use redis://user:password@host or redis://:password@host.");
        }

        rest = rest[(at + 1)..];
        int slash = rest.IndexOf('/', StringComparison.Ordinal);
        if (slash >= 0)
        {
            CheckPath(rest[slash..]);
            rest = rest[..slash];
        }

        return new RedisOptions
        {
            EndPoints = [.. rest.Split(',').Select(ParseEndPoint)],
            User = user,
            Password = given ?? password,
            Tls = isSecure == true ? new SslClientAuthenticationOptions() : null,
        };
    }

    /// <summary>Splits a URL into its scheme and its hosts.</summary>
    public override string ToString() => $"{(Tls is null ? "redis" : "rediss")}://{string.Join(',', EndPoints)}";

    private static (string? User, string? Password) ParseLogin(string login)
    {
        int colon = login.IndexOf(':', StringComparison.Ordinal);
        string user = Uri.UnescapeDataString(colon < 0 ? login : login[..colon]);
        string? password = colon < 0 ? null : Uri.UnescapeDataString(login[(colon + 1)..]);
        return (user.Length == 0 ? null : user, string.IsNullOrEmpty(password) ? null : password);
    }

    private static void CheckPath(string path)
    {
        if (path is not ("/" or "/0"))
        {
            throw new FormatException("The store's URL must not have a path or options; remove them. Clusters only have database 0.");
        }
    }

    private static RedisEndPoint ParseEndPoint(string text)
    {
        int portColon = text.LastIndexOf(':');
        if (text.StartsWith('['))
        {
            int bracket = text.IndexOf(']', StringComparison.Ordinal);
            portColon = bracket == text.Length - 1 ? -1 : bracket + 1;
            if (bracket < 2 || (portColon > 0 && text[portColon] != ':'))
            {
                throw NoEndPoint(text);
            }
        }

        string host = (portColon < 0 ? text : text[..portColon]).Trim('[', ']');
        int port = RedisEndPoint.DefaultPort;
        bool hasPort = portColon < 0 || int.TryParse(text.AsSpan(portColon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port);
        bool isBareV6 = !text.StartsWith('[') && host.Contains(':', StringComparison.Ordinal);
        if (host.Length == 0 || isBareV6 || !hasPort || port is < 1 or > 65_535 || host.AsSpan().ContainsAny(" \t?#"))
        {
            throw NoEndPoint(text);
        }

        return new RedisEndPoint(host, port);
    }

    private static FormatException NoEndPoint(string text) =>
        new($"The store's URL contains the invalid host '{text}'; use host, host:port or [IPv6]:port, separated by commas.");
}
