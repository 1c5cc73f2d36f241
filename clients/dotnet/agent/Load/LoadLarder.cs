using Larder.Client;

namespace Larder.Agent;

/// <summary>The load loop for Larder's items.</summary>
internal sealed class LoadLarder(Cache cache) : ILoadTarget
{
    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            if (caller.IsRead)
            {
                switch (await cache.GetAsync(caller.Key).ConfigureAwait(false))
                {
                    case { IsHit: true } hit: caller.Hit(hit.Value.Span); break;
                    case { IsMiss: true }: caller.Miss(); break;
                    case { Error: { } error }: await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false); break;
                }
            }
            else if (await cache.SetAsync(caller.Key, caller.Value, caller.Ttl).ConfigureAwait(false) is { Error: { } error })
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
        (await cache.SetAsync(key, value, ttl).ConfigureAwait(false)).Error?.Message;
}
