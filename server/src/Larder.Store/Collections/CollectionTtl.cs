namespace Larder.Store.Collections;

/// <summary>
/// The TTL of a write. A collection that the write creates always gets this TTL. An existing collection gets it only if <see cref="Refresh"/> is set.
/// </summary>
/// <param name="TtlMs">The time to live in milliseconds from now: 1 to the store's maximum TTL.</param>
/// <param name="Refresh">Whether an existing collection also gets the TTL.</param>
public readonly record struct CollectionTtl(long TtlMs, bool Refresh);
