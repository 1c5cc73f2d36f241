namespace Larder.Client;

/// <summary>
/// The time to live of a collection. The write that creates the collection always sets <see cref="Ttl"/>. A later write sets it only if
/// <see cref="RefreshTtl"/> is true, which is the default. A <see cref="TimeSpan"/> converts implicitly to a time to live that each write refreshes.
/// </summary>
public readonly record struct CollectionTtl
{
    // The negation of RefreshTtl, so that RefreshTtl is true in the default value of this type.
    private readonly bool _keeps;

    private CollectionTtl(TimeSpan? ttl, bool keeps)
    {
        Ttl = ttl;
        _keeps = keeps;
    }

    /// <summary>
    /// Gets the time to live: greater than 0, and at most 365 days or the server's limit if that is lower. If null, the client's default time to live applies.
    /// </summary>
    public TimeSpan? Ttl { get; }

    /// <summary>
    /// Gets whether a write also sets the time to live of an existing collection. If false, only the write that creates the collection sets the time to live.
    /// The default is true.
    /// </summary>
    public bool RefreshTtl => !_keeps;

    /// <summary>Returns the client's default time to live, refreshed by each write.</summary>
    public static CollectionTtl FromCacheTtl() => default;

    /// <summary>Returns a time to live that each write refreshes.</summary>
    /// <param name="ttl">The time to live: greater than 0, and at most 365 days or the server's limit if that is lower.</param>
    public static CollectionTtl Of(TimeSpan ttl) => new(ttl, keeps: false);

    /// <summary>Returns a time to live that each write refreshes. This is an alias of <see cref="Of"/>.</summary>
    /// <param name="ttl">The time to live: greater than 0, and at most 365 days or the server's limit if that is lower.</param>
    public static CollectionTtl FromTimeSpan(TimeSpan ttl) => Of(ttl);

    /// <summary>Converts a <see cref="TimeSpan"/> to a time to live that each write refreshes. This is an alias of <see cref="Of"/>.</summary>
    public static implicit operator CollectionTtl(TimeSpan ttl) => Of(ttl);

    /// <summary>Returns a copy with <see cref="RefreshTtl"/> set to true: each write also sets the time to live of an existing collection.</summary>
    public CollectionTtl WithRefreshTtlOnUpdates() => new(Ttl, keeps: false);

    /// <summary>Returns a copy with <see cref="RefreshTtl"/> set to false: only the write that creates the collection sets the time to live.</summary>
    public CollectionTtl WithNoRefreshTtlOnUpdates() => new(Ttl, keeps: true);
}
