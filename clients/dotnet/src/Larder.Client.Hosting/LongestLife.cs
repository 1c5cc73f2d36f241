namespace Larder.Client;

/// <summary>The longest time to live that a cache takes, which its server is asked for once.</summary>
internal sealed class LongestLife(CacheClient client, string cache)
{
    private static readonly TimeSpan Default = TimeSpan.FromHours(24);

    // Null: not asked for, or no longer true.
    private volatile object? _known;

    /// <summary>The longest, or why it is not known. A cache that is not listed is not there: the set says so.</summary>
    public async ValueTask<(TimeSpan Longest, CacheError? Error)> AskAsync(CancellationToken token)
    {
        if (_known is TimeSpan known)
        {
            return (known, null);
        }

        ListCachesResponse answer = await client.ListCachesAsync(token).ConfigureAwait(false);
        if (answer is ListCachesResponse.Error error)
        {
            return (default, error.Failure);
        }

        TimeSpan longest = ((ListCachesResponse.Success)answer).Caches.FirstOrDefault(each => each.Name == cache)?.MaxTtl ?? Default;
        _known = longest;
        return (longest, null);
    }

    /// <summary>A set was refused: the server may be another now.</summary>
    public void Forget() => _known = null;
}
