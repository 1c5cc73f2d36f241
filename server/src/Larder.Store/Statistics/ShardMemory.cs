namespace Larder.Store;

/// <summary>What a shard's memory is spent on, in bytes.</summary>
/// <param name="Held">All of it.</param>
/// <param name="Idle">Space of removed entries, ends of segments, pooled and retired segments.</param>
/// <param name="Tables">Index, ghosts and segment table.</param>
internal readonly record struct ShardMemory(long Held, long Idle, long Tables);
