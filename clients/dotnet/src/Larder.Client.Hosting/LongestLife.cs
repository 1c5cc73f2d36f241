namespace Larder.Client;

/// <summary>The maximum TTL of a server's cache, and what becomes of a longer one (ADR-0110).</summary>
internal sealed class LongestLife(CacheClient client, string cache, TimeProvider time)
{
    /// <summary>How long an answer is used for capping. A server that was restarted with a larger maximum must not keep markers short for longer.</summary>
    public static readonly TimeSpan FreshFor = TimeSpan.FromSeconds(10);

    // A server's own default (TTL-16): a TTL up to this is sent without asking.
    private static readonly TimeSpan Default = TimeSpan.FromHours(24);

    // Null: not requested, or no longer true.
    private volatile Known? _known;

    /// <summary>
    /// The TTL of an entry that asked for more than the maximum: 15/16 of it. A marker of a removed tag gets all of it and so outlives every entry that was
    /// written up to 1/16 of the maximum after it, by a factory or a retry that started before the removal.
    /// </summary>
    public static TimeSpan EntryCap(TimeSpan longest) => longest - (longest / 16);

    /// <summary>The maximum, or why it is unknown. Of a cache that is not listed the default: its calls fail with NotFound.</summary>
    /// <param name="token">Cancels the call.</param>
    /// <param name="atMost">The maximum age of the answer; null: it is used until <see cref="Forget"/>.</param>
    public async ValueTask<(TimeSpan Longest, CacheError? Error)> AskAsync(CancellationToken token, TimeSpan? atMost = null)
    {
        if (_known is { } known && (atMost is null || time.GetElapsedTime(known.At) <= atMost))
        {
            return (known.Longest, null);
        }

        long now = time.GetTimestamp();
        ListCachesResponse answer = await client.ListCachesAsync(token).ConfigureAwait(false);
        if (answer is ListCachesResponse.Error error)
        {
            return (default, error.Failure);
        }

        TimeSpan longest = ((ListCachesResponse.Success)answer).Caches.FirstOrDefault(each => each.Name == cache)?.MaxTtl ?? Default;
        _known = new Known(longest, now);
        return (longest, null);
    }

    /// <summary>The TTL to send for one that was asked for. Asks the server only if that may exceed its maximum.</summary>
    /// <param name="asked">The TTL that the caller wants.</param>
    /// <param name="isMarker">Whether the entry marks a removed tag.</param>
    /// <param name="isRefused">Whether the server has just refused the TTL: the maximum is requested again.</param>
    /// <param name="token">Cancels the call.</param>
    public async ValueTask<(TimeSpan Ttl, CacheError? Error)> CapAsync(TimeSpan asked, bool isMarker, bool isRefused, CancellationToken token)
    {
        if (!isRefused && asked <= (_known?.Longest ?? Default))
        {
            return (asked, null);
        }

        (TimeSpan longest, CacheError? error) = await AskAsync(token, isRefused ? TimeSpan.MinValue : FreshFor).ConfigureAwait(false);
        return error is not null ? (default, error)
            : asked <= longest ? (asked, null)
            : (isMarker ? longest : EntryCap(longest), null);
    }

    /// <summary>Requests the maximum again with the next use: the server may have been restarted with another.</summary>
    public void Forget() => _known = null;

    private sealed record Known(TimeSpan Longest, long At);
}
