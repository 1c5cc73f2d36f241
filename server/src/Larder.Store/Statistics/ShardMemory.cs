namespace Larder.Store;

/// <summary>How a shard's memory is used, in bytes.</summary>
/// <param name="Held">The total memory held.</param>
/// <param name="Idle">Removed entries, unused ends of segments, pooled and retired segments.</param>
/// <param name="Tables">Index, filter of evicted keys, and segment table.</param>
internal readonly record struct ShardMemory(long Held, long Idle, long Tables);
