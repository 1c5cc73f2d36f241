using Larder.Client;

namespace Larder.Agent;

/// <summary>The load's loop over Larder's client.</summary>
internal sealed class LoadLarder(CacheClient client, string cache) : ILoadTarget
{
    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            if (caller.IsRead)
            {
                switch (await client.GetAsync(cache, caller.Key).ConfigureAwait(false))
                {
                    case GetResponse.Hit hit: caller.Hit(hit.Value.Span); break;
                    case GetResponse.Miss: caller.Miss(); break;
                    case GetResponse.Error error: await caller.FailedAsync(error.Code.ToString()).ConfigureAwait(false); break;
                }
            }
            else if (await client.SetAsync(cache, caller.Key, caller.Value, caller.Ttl).ConfigureAwait(false) is SetResponse.Error error)
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
        (await client.SetAsync(cache, key, value, ttl).ConfigureAwait(false) as SetResponse.Error)?.Message;
}
