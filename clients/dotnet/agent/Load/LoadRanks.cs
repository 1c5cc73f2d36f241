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
                    case { IsHit: true }: caller.Found(); break;
                    case { IsMiss: true }: caller.Miss(); break;
                    case { Error: { } error }: await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false); break;
                }
            }
            else if (await cache
                .SortedSetPutElementAsync(caller.Collection, caller.Key, LoadCollection.ScoreOf(caller.Key), caller.Ttl)
                .ConfigureAwait(false) is { Error: { } error })
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
        (await cache.SortedSetPutElementAsync(LoadCollection.Of(key), key, LoadCollection.ScoreOf(key), ttl).ConfigureAwait(false)).Error?.Message;
}
