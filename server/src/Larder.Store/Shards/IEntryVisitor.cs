namespace Larder.Store;

/// <summary>Looks at entries while a shard is walked (Shard.Walk.cs).</summary>
internal unsafe interface IEntryVisitor
{
    /// <summary>Looks at an entry, which may be changed and removed meanwhile, inside the epoch of the walk.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="queue">The queue it stands in, as of a moment ago.</param>
    /// <returns>False where it wants the entry shown again, in the next step.</returns>
    bool TryVisit(EntryHeader* entry, QueueKind queue);
}
