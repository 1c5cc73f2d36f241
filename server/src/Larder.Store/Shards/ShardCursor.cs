namespace Larder.Store;

/// <summary>How far a walk through a shard has come.</summary>
/// <param name="Table">The serial number of the table that it goes through; 0 before the first step.</param>
/// <param name="Slot">The next slot of it.</param>
internal record struct ShardCursor(long Table, uint Slot);
