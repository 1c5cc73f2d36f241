using System.Globalization;

namespace Larder.Redis;

/// <summary>A host, by name or address, and a port.</summary>
/// <param name="Host">A name, an IPv4 address, or an IPv6 address without brackets.</param>
/// <param name="Port">1 to 65,535.</param>
public sealed record RedisEndPoint(string Host, int Port)
{
    /// <summary>What Redis listens on where nothing else is said.</summary>
    public const int DefaultPort = 6379;

    /// <summary>As it is written in a URL.</summary>
    public override string ToString() => Host.Contains(':', StringComparison.Ordinal)
        ? string.Create(CultureInfo.InvariantCulture, $"[{Host}]:{Port}")
        : string.Create(CultureInfo.InvariantCulture, $"{Host}:{Port}");
}
