namespace Larder.Store;

/// <summary>The position of a walk through a shard.</summary>
/// <param name="Table">The serial number of the table; 0 before the first step.</param>
/// <param name="Slot">The next slot of the table.</param>
internal record struct ShardCursor(long Table, uint Slot);
