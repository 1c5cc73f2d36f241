namespace Larder.Server.Security;

/// <summary>
/// Stores the last token that was used on a connection, and the token's rights in the last cache. A connection reuses the same string objects for repeated
/// metadata, so two reference comparisons are enough to recognize most calls. Only the reading thread of the connection uses this class.
/// </summary>
/// <param name="text">The token as it was received.</param>
/// <param name="table">The token table in which the token was found.</param>
/// <param name="token">The authenticated caller.</param>
/// <param name="use">The usage counters of the token.</param>
internal sealed class ConnectionCaller(string text, TokenTable table, AuthenticatedCaller token, TokenUse use)
{
    private string? _cache;
    private CacheRights? _rights;

    public AuthenticatedCaller Token => token;

    public TokenUse Use => use;

    /// <summary>Gets or sets the time at which the expiry must be checked again, as a <see cref="TimeProvider.GetTimestamp"/> value.</summary>
    public long NextCheckAt { get; set; } = long.MinValue;

    /// <summary>
    /// Returns whether the given string object is this token and the token table has not changed. Compares references, not characters, because comparing
    /// characters would leak the token through timing.
    /// </summary>
    public bool Is(string shown, TokenTable now) => ReferenceEquals(shown, text) && ReferenceEquals(now, table);

    /// <summary>Returns the token's rights in a cache, or null if the cache name is invalid.</summary>
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
