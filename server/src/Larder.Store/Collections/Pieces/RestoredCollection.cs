namespace Larder.Store.Collections;

/// <summary>The saved properties of a collection that is restored from a snapshot.</summary>
/// <param name="Type">The type of the collection.</param>
/// <param name="ExpiresAtMs">The expiry time on the store's clock.</param>
/// <param name="Frequency">The number of hits, up to <see cref="EntryHeader.MaxFrequency"/>.</param>
/// <param name="Queue">The eviction queue that contained the collection.</param>
internal readonly record struct RestoredCollection(ItemType Type, long ExpiresAtMs, byte Frequency, QueueKind Queue);
