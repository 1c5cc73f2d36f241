namespace Larder.Client;

/// <summary>
/// A collection's time to live. The write that creates the collection always sets <see cref="Ttl"/>. A later write sets it only if <see cref="RefreshTtl"/> is
/// true, which is the default. A <see cref="TimeSpan"/> converts to a time to live that refreshes.
/// </summary>
public readonly record struct CollectionTtl
{
    // Negated, so that the default value of this type refreshes.
    private readonly bool _keeps;

    private CollectionTtl(TimeSpan? ttl, bool keeps)
    {
        Ttl = ttl;
        _keeps = keeps;
    }

    /// <summary>Gets the time to live: over 0, at most 365 days or the server's limit. If null, the client's default applies.</summary>
    public TimeSpan? Ttl { get; }

    /// <summary>
    /// Gets whether a write also sets the time to live of an existing collection. If false, only the write that creates the collection sets it.
    /// </summary>
    public bool RefreshTtl => !_keeps;

    /// <summary>Returns the client's default time to live, refreshed by each write.</summary>
    public static CollectionTtl FromCacheTtl() => default;

    /// <summary>Returns a time to live that each write refreshes.</summary>
    /// <param name="ttl">The time to live: over 0, at most 365 days or the server's limit.</param>
    public static CollectionTtl Of(TimeSpan ttl) => new(ttl, keeps: false);

    /// <summary>Returns a time to live that each write refreshes: <see cref="Of"/>.</summary>
    /// <param name="ttl">The time to live: over 0, at most 365 days or the server's limit.</param>
    public static CollectionTtl FromTimeSpan(TimeSpan ttl) => Of(ttl);

    /// <summary>Converts to a time to live that each write refreshes: <see cref="Of"/>.</summary>
    public static implicit operator CollectionTtl(TimeSpan ttl) => Of(ttl);

    /// <summary>Returns the same time to live, which writes also set on an existing collection.</summary>
    public CollectionTtl WithRefreshTtlOnUpdates() => new(Ttl, keeps: false);

    /// <summary>Returns the same time to live, which only the write that creates the collection sets.</summary>
    public CollectionTtl WithNoRefreshTtlOnUpdates() => new(Ttl, keeps: true);
}
