using Larder.Agent;
using StackExchange.Redis;

namespace Larder.Tuner.Peers;

/// <summary>Runs the sorted-set workload through StackExchange.Redis.</summary>
internal sealed class RedisRanks(IDatabase database) : ILoadTarget
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
                    await database.SortedSetAddAsync(caller.Collection, caller.Key, LoadCollection.ScoreOf(caller.Key)).ConfigureAwait(false);
                    caller.Stored();
                }
                else if (await database.SortedSetRankAsync(caller.Collection, caller.Key).ConfigureAwait(false) is not null)
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
        await database.SortedSetAddAsync(LoadCollection.Of(key), key, LoadCollection.ScoreOf(key)).ConfigureAwait(false);
        return null;
    }
}
