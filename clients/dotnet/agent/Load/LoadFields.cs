using Larder.Client;

namespace Larder.Agent;

/// <summary>The load loop for Larder's dictionaries.</summary>
internal sealed class LoadFields(Cache cache) : ILoadTarget
{
    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            if (caller.IsRead)
            {
                switch (await cache.DictionaryGetFieldAsync(caller.Collection, caller.Key).ConfigureAwait(false))
                {
                    case { IsHit: true } hit: caller.Hit(hit.Value.Span); break;
                    case { IsMiss: true }: caller.Miss(); break;
                    case { Error: { } error }: await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false); break;
                }
            }
            else if (await cache.DictionarySetFieldAsync(caller.Collection, caller.Key, caller.Value, caller.Ttl).ConfigureAwait(false)
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
        (await cache.DictionarySetFieldAsync(LoadCollection.Of(key), key, value, ttl).ConfigureAwait(false)).Error?.Message;
}
