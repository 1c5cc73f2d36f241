using System.Globalization;

namespace Larder.Redis;

/// <summary>The host and port of a server.</summary>
/// <param name="Host">A host name, an IPv4 address, or an IPv6 address without brackets.</param>
/// <param name="Port">The port: 1 to 65,535.</param>
public sealed record RedisEndPoint(string Host, int Port)
{
    /// <summary>The default port of Redis.</summary>
    public const int DefaultPort = 6379;

    /// <summary>Returns the endpoint in the format of a URL.</summary>
    public override string ToString() => Host.Contains(':', StringComparison.Ordinal)
        ? string.Create(CultureInfo.InvariantCulture, $"[{Host}]:{Port}")
        : string.Create(CultureInfo.InvariantCulture, $"{Host}:{Port}");
}
