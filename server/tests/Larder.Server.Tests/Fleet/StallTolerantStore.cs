using Larder.Harness.Redis;
using Larder.Redis;
using Larder.Redis.Tests;

namespace Larder.Server.Tests.Fleet;

/// <summary>
/// A store on one redis-server. Its time limits are long, so that a busy machine does not exceed them. The tests that use it do not test the limits.
/// </summary>
internal static class StallTolerantStore
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    public static async Task<RedisStore> StartAsync(RedisServer redis)
    {
        RedisStore store = RedisStore.Start(RedisOptions.Parse(redis.Url) with { ConnectTimeout = s_limit, SilenceLimit = s_limit });
        await Eventually.UntilAsync(() => Task.FromResult(store.IsReady), "the store is ready");
        return store;
    }
}
