namespace Larder.Store;

/// <summary>The use of a shard's memory, in bytes.</summary>
/// <param name="Held">The total allocated memory.</param>
/// <param name="Idle">The memory of removed entries, unused ends of segments, and pooled and retired segments.</param>
/// <param name="Tables">The memory of the index, the filter of evicted keys, and the segment table.</param>
internal readonly record struct ShardMemory(long Held, long Idle, long Tables);
