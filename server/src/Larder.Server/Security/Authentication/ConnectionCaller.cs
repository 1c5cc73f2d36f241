namespace Larder.Server.Security;

/// <summary>
/// The token last used on one connection and its rights in the cache last used. A connection reuses the same string objects for repeated metadata, so
/// most calls are recognized by two reference comparisons. Used only by the connection's reading thread.
/// </summary>
/// <param name="text">The token as received.</param>
/// <param name="table">The token table that identified it.</param>
/// <param name="token">The identified token.</param>
/// <param name="use">The usage counters for its calls.</param>
internal sealed class ConnectionCaller(string text, TokenTable table, AuthenticatedCaller token, TokenUse use)
{
    private string? _cache;
    private CacheRights? _rights;

    public AuthenticatedCaller Token => token;

    public TokenUse Use => use;

    /// <summary>Gets or sets when the expiry must be checked again, as a <see cref="TimeProvider.GetTimestamp"/> value.</summary>
    public long NextCheckAt { get; set; } = long.MinValue;

    /// <summary>
    /// Returns whether the given string object is this token and the table is unchanged. Compares references and not characters: comparing characters
    /// would leak the token through timing.
    /// </summary>
    public bool Is(string shown, TokenTable now) => ReferenceEquals(shown, text) && ReferenceEquals(now, table);

    /// <summary>Returns the rights in a cache, or null if the cache name is invalid.</summary>
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
