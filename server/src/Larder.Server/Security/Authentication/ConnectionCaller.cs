namespace Larder.Server.Security;

/// <summary>
/// Who showed a token last on one connection, and what it may do in the cache that it named last: a connection's repeated metadata are the same texts, so that
/// most of its calls are known by two references. For the connection's reading thread.
/// </summary>
/// <param name="text">The token as it came.</param>
/// <param name="table">What the files said then.</param>
/// <param name="token">Who it is.</param>
/// <param name="use">Where its calls are counted.</param>
internal sealed class ConnectionCaller(string text, TokenTable table, KnownToken token, TokenUse use)
{
    private string? _cache;
    private CacheRights? _rights;

    public KnownToken Token => token;

    public TokenUse Use => use;

    /// <summary>When its end is to be looked at again, as <see cref="TimeProvider.GetTimestamp"/> has it.</summary>
    public long LookAgainAt { get; set; } = long.MinValue;

    /// <summary>Whether this is who shows a token, by the files as they are now. Not by the token's letters: to compare them takes a time that tells.</summary>
    public bool Is(string shown, TokenTable now) => ReferenceEquals(shown, text) && ReferenceEquals(now, table);

    /// <summary>What it may do in a cache; null: no cache can have that name.</summary>
    public CacheRights? RightsIn(string cache)
    {
        if (!ReferenceEquals(cache, _cache))
        {
            _rights = CacheName.IsValid(cache) ? token.Entry.In(cache) : null;
            _cache = cache;
        }

        return _rights;
    }
}
