namespace Larder.Client;

/// <summary>Caches the maximum TTL of one of the server's caches, and shortens longer TTLs to fit (ADR-0110).</summary>
internal sealed class MaxTtlCache(CacheClient client, string cache, TimeProvider time)
{
    /// <summary>
    /// How long the server's maximum TTL is cached before the next call refreshes it. If the server restarts with a larger maximum, markers of removed tags
    /// can get too short a TTL until the refresh.
    /// </summary>
    public static readonly TimeSpan FreshFor = TimeSpan.FromSeconds(10);

    // The default of the server's maximum TTL (TTL-16). While the maximum is unknown, a TTL up to this value is sent without requesting the maximum.
    private static readonly TimeSpan Default = TimeSpan.FromHours(24);

    // Null before the first request and after Forget.
    private volatile Known? _known;

    /// <summary>
    /// Returns the TTL of an entry whose requested TTL exceeds the maximum. It is 15/16 of the maximum. A marker of a removed tag gets the full maximum. The
    /// marker therefore outlives every entry with this TTL that is stored within 1/16 of the maximum after the marker. Such an entry is stored, for example, by
    /// a factory or a retry that started before the tag was removed.
    /// </summary>
    public static TimeSpan EntryCap(TimeSpan longest) => longest - (longest / 16);

    /// <summary>
    /// Returns the server's maximum TTL for the cache, or the error if the request for it fails. If the server does not list the cache, returns 24 h, the
    /// default of <c>--max-ttl</c>. The cache then does not exist, and calls on it fail with NotFound.
    /// </summary>
    /// <param name="token">Cancels the call.</param>
    /// <param name="atMost">The age above which the known maximum is requested again. If null, a known maximum of any age is returned.</param>
    public async ValueTask<(TimeSpan Longest, CacheError? Error)> AskAsync(CancellationToken token, TimeSpan? atMost = null)
    {
        if (_known is { } known && (atMost is null || time.GetElapsedTime(known.At) <= atMost))
        {
            return (known.Longest, null);
        }

        long now = time.GetTimestamp();
        CacheResult<IReadOnlyList<CacheInfo>> answer = await client.ListCachesAsync(token).ConfigureAwait(false);
        if (answer.IsError)
        {
            return (default, answer.Error);
        }

        TimeSpan longest = answer.Value.FirstOrDefault(each => each.Name == cache)?.MaxTtl ?? Default;
        _known = new Known(longest, now);
        return (longest, null);
    }

    /// <summary>Returns the TTL to send, or an error. Requests the maximum from the server only if the TTL may exceed it.</summary>
    /// <param name="asked">The TTL that the caller requested.</param>
    /// <param name="isMarker">Whether the entry marks a removed tag.</param>
    /// <param name="isRefused">Whether the server has just rejected the TTL. The maximum is then requested again.</param>
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

    /// <summary>Discards the known maximum, so that the next use requests it again. Needed if the server may have restarted with a different maximum.</summary>
    public void Forget() => _known = null;

    private sealed record Known(TimeSpan Longest, long At);
}
