using Larder.Harness.Redis;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>Queries a Redis server for data about a gateway's near streams.</summary>
internal static class NearGateways
{
    /// <summary>Returns the name under which a node stores the item with this key.</summary>
    public static string StoredName(this RedisServer redis, string key) => redis.Ask("keys", $"L*.*:{key}");

    /// <summary>Returns the number of connections for which a server tracks keys.</summary>
    public static int TrackedConnections(this RedisServer redis) => redis.TrackedIds().Count();

    /// <summary>Returns the ids of the tracked connections.</summary>
    public static IEnumerable<string> TrackedIds(this RedisServer redis) =>
        from line in redis.Ask("client", "list").Split('\n')
        let flags = line.Split(' ').FirstOrDefault(static field => field.StartsWith("flags=", StringComparison.Ordinal))
        where flags?.Contains('t', StringComparison.Ordinal) == true
        select line.Split(' ')[0]["id=".Length..];
}
