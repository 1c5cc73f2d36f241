using Larder.Agent;
using StackExchange.Redis;

namespace Larder.Tuner.Peers;

/// <summary>Runs the list workload through StackExchange.Redis.</summary>
internal sealed class RedisQueues(IDatabase database) : ILoadTarget
{
    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            try
            {
                if (!caller.IsRead)
                {
                    await database.ListRightPushAsync(caller.Collection, caller.Value).ConfigureAwait(false);
                    caller.Stored();
                }
                else if (!(await database.ListLeftPopAsync(caller.Collection).ConfigureAwait(false)).IsNull)
                {
                    caller.Found();
                }
                else
                {
                    caller.Miss();
                }
            }
            catch (Exception failed) when (failed is RedisException or TimeoutException)
            {
                await caller.FailedAsync(failed.GetType().Name).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc/>
    public async Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl)
    {
        await database.ListRightPushAsync(LoadCollection.Of(key), value).ConfigureAwait(false);
        return null;
    }
}
