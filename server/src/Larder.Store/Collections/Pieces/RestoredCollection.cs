namespace Larder.Store.Collections;

/// <summary>What a collection that comes back was in the store before.</summary>
/// <param name="Type">What it holds.</param>
/// <param name="ExpiresAtMs">When it expires, by the store's clock.</param>
/// <param name="Frequency">Its hits.</param>
/// <param name="Queue">The queue that it stood in.</param>
internal readonly record struct RestoredCollection(ItemType Type, long ExpiresAtMs, byte Frequency, QueueKind Queue);
