using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Tests.Near;
using Larder.Server.Tests.Pipeline;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>Near streams of a front.</summary>
internal static class NearFronts
{
    /// <summary>A near stream, once the front's connections for it are there: what it gets may be kept.</summary>
    public static async Task<NearClient> OpenNearAsync(this RunningServer front)
    {
        NearClient client = await NearClient.OpenAsync(front);
        await client.SettleAsync();
        return client;
    }

    /// <summary>Sets many keys to one value.</summary>
    public static async Task SetManyAsync(this RunningServer front, IEnumerable<string> keys, string value)
    {
        await using PipelineClient writer = await PipelineClient.OpenAsync(front);
        foreach (string[] part in keys.Chunk(5_000))
        {
            SetBatchRequest request = new();
            request.Items.AddRange(part.Select(key => NearClient.Set(key, value).Set));
            Assert.Equal(Result.OutcomeOneofCase.SetBatch, (await writer.AskAsync(new Operation { Id = 1, SetBatch = request })).OutcomeCase);
        }
    }

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
