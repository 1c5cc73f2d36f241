using Larder.Client;

namespace Larder.Agent;

/// <summary>The load loop for Larder's sorted sets.</summary>
internal sealed class LoadRanks(Cache cache) : ILoadTarget
{
    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            if (caller.IsRead)
            {
                switch (await cache.SortedSetGetRankAsync(caller.Collection, caller.Key).ConfigureAwait(false))
                {
                    case SortedSetGetRankResponse.Hit: caller.Found(); break;
                    case SortedSetGetRankResponse.Miss: caller.Miss(); break;
                    case SortedSetGetRankResponse.Error error: await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false); break;
                }
            }
            else if (await cache
                .SortedSetPutElementAsync(caller.Collection, caller.Key, LoadCollection.ScoreOf(caller.Key), caller.Ttl)
                .ConfigureAwait(false) is SortedSetPutResponse.Error error)
            {
                await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false);
            }
            else
            {
                caller.Stored();
            }
        }
    }

    /// <inheritdoc/>
    public async Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl) =>
        (await cache.SortedSetPutElementAsync(LoadCollection.Of(key), key, LoadCollection.ScoreOf(key), ttl).ConfigureAwait(false)
            as SortedSetPutResponse.Error)?.Message;
}
