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
                    case ListPopFrontResponse.Hit: caller.Found(); break;
                    case ListPopFrontResponse.Miss: caller.Miss(); break;
                    case ListPopFrontResponse.Error error: await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false); break;
                }
            }
            else if (await cache.ListPushBackAsync(caller.Collection, caller.Value, ttl: caller.Ttl).ConfigureAwait(false)
                is ListPushBackResponse.Error error)
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
        (await cache.ListPushBackAsync(LoadCollection.Of(key), value, ttl: ttl).ConfigureAwait(false) as ListPushBackResponse.Error)?.Message;
}
