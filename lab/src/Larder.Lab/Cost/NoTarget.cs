using Larder.Agent;

namespace Larder.Lab.Cost;

/// <summary>A load target whose calls end immediately. A load on it measures the overhead of the generator alone.</summary>
internal sealed class NoTarget : ILoadTarget
{
    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            if (caller.IsRead)
            {
                caller.Hit(caller.Key);
            }
            else
            {
                caller.Stored();
            }
        }
    }

    /// <inheritdoc/>
    public Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl) => Task.FromResult<string?>(null);
}
