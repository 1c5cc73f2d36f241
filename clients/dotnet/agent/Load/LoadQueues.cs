using Larder.Client;

namespace Larder.Agent;

/// <summary>The load loop for Larder's lists.</summary>
internal sealed class LoadQueues(Cache cache) : ILoadTarget
{
    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            if (caller.IsRead)
            {
                switch (await cache.ListPopFrontAsync(caller.Collection).ConfigureAwait(false))
                {
                    case { IsHit: true }: caller.Found(); break;
                    case { IsMiss: true }: caller.Miss(); break;
                    case { Error: { } error }: await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false); break;
                }
            }
            else if (await cache.ListPushBackAsync(caller.Collection, caller.Value, ttl: caller.Ttl).ConfigureAwait(false)
                is { Error: { } error })
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
        (await cache.ListPushBackAsync(LoadCollection.Of(key), value, ttl: ttl).ConfigureAwait(false)).Error?.Message;
}
