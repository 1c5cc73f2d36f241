using Larder.Harness.Redis;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>What Redis says of a gateway's near streams.</summary>
internal static class NearGateways
{
    /// <summary>What a server calls an item of a cache of this key.</summary>
    public static string StoredName(this RedisServer redis, string key) => redis.Ask("keys", $"L*.*:{key}");

    /// <summary>Connections that a server tracks.</summary>
    public static int TrackedConnections(this RedisServer redis) => redis.TrackedIds().Count();

    /// <summary>Their numbers.</summary>
    public static IEnumerable<string> TrackedIds(this RedisServer redis) =>
        from line in redis.Ask("client", "list").Split('\n')
        let flags = line.Split(' ').FirstOrDefault(static field => field.StartsWith("flags=", StringComparison.Ordinal))
        where flags?.Contains('t', StringComparison.Ordinal) == true
        select line.Split(' ')[0]["id=".Length..];
}
