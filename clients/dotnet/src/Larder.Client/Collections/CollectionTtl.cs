namespace Larder.Client;

/// <summary>
/// How long a collection lives. The write that makes it always gives it <see cref="Ttl"/>; a later one only where <see cref="RefreshTtl"/> is true, which
/// it is by default. A <see cref="TimeSpan"/> converts to one that refreshes.
/// </summary>
public readonly record struct CollectionTtl
{
    // The default value of this type refreshes, too.
    private readonly bool _keeps;

    private CollectionTtl(TimeSpan? ttl, bool keeps)
    {
        Ttl = ttl;
        _keeps = keeps;
    }

    /// <summary>The time to live: over 0 and at most 365 days, or what the server allows; null: the client's default.</summary>
    public TimeSpan? Ttl { get; }

    /// <summary>Whether a collection that is there gets the time to live too; else only one that the write makes.</summary>
    public bool RefreshTtl => !_keeps;

    /// <summary>The client's default time to live, refreshed with each write.</summary>
    public static CollectionTtl FromCacheTtl() => default;

    /// <summary>A time to live, refreshed with each write.</summary>
    /// <param name="ttl">Over 0 and at most 365 days, or what the server allows.</param>
    public static CollectionTtl Of(TimeSpan ttl) => new(ttl, keeps: false);

    /// <summary>A time to live, refreshed with each write: <see cref="Of"/>.</summary>
    /// <param name="ttl">Over 0 and at most 365 days, or what the server allows.</param>
    public static CollectionTtl FromTimeSpan(TimeSpan ttl) => Of(ttl);

    /// <summary>A time to live, refreshed with each write: <see cref="Of"/>.</summary>
    public static implicit operator CollectionTtl(TimeSpan ttl) => Of(ttl);

    /// <summary>The same time to live, which a write gives to a collection that is there too.</summary>
    public CollectionTtl WithRefreshTtlOnUpdates() => new(Ttl, keeps: false);

    /// <summary>The same time to live, which a write gives only to a collection that it makes.</summary>
    public CollectionTtl WithNoRefreshTtlOnUpdates() => new(Ttl, keeps: true);
}
