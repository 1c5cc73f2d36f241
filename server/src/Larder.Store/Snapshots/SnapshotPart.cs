namespace Larder.Store.Snapshots;

/// <summary>Which part of an item a record is.</summary>
internal enum SnapshotPart : byte
{
    /// <summary>A scalar, or the first piece of a collection: what came of the same key before is not loaded.</summary>
    First = 0,

    /// <summary>More of the collection that the record before is of.</summary>
    More = 1,

    /// <summary>The end of a collection that left while it was written: nothing of it is loaded.</summary>
    Gone = 2,
}
