using Larder.Agent;
using StackExchange.Redis;

namespace Larder.Tuner.Peers;

/// <summary>Runs the hash workload through StackExchange.Redis.</summary>
internal sealed class RedisFields(IDatabase database) : ILoadTarget
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
                    await database.HashSetAsync(caller.Collection, caller.Key, caller.Value).ConfigureAwait(false);
                    caller.Stored();
                }
                else if ((byte[]?)await database.HashGetAsync(caller.Collection, caller.Key).ConfigureAwait(false) is { } value)
                {
                    caller.Hit(value);
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
        await database.HashSetAsync(LoadCollection.Of(key), key, value).ConfigureAwait(false);
        return null;
    }
}
