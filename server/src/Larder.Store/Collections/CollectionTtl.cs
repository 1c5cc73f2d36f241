namespace Larder.Store.Collections;

/// <summary>The TTL of a write: a collection that the write creates gets it; one that is there only where it is to be refreshed.</summary>
/// <param name="TtlMs">Milliseconds from now: 1 to the store's longest TTL.</param>
/// <param name="Refresh">Whether a collection that is there gets it too.</param>
public readonly record struct CollectionTtl(long TtlMs, bool Refresh);
