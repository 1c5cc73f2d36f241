namespace Larder.Store;

/// <summary>Visits entries during a walk through a shard (Shard.Walk.cs).</summary>
internal unsafe interface IEntryVisitor
{
    /// <summary>Visits an entry, within the epoch of the walk. The entry may be changed and removed concurrently.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="queue">The queue that contained the entry shortly before the visit.</param>
    /// <returns>True to continue; false to visit this entry again in the next step.</returns>
    bool TryVisit(EntryHeader* entry, QueueKind queue);
}
