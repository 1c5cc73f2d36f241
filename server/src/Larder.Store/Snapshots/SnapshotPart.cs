namespace Larder.Store.Snapshots;

/// <summary>The part of an item that a record contains.</summary>
internal enum SnapshotPart : byte
{
    /// <summary>The record is a scalar, or the first piece of a collection. A first piece replaces earlier pieces of the same collection.</summary>
    First = 0,

    /// <summary>The record is the next piece of the collection of the previous record.</summary>
    More = 1,

    /// <summary>The record ends a collection that was removed while the snapshot was written. No part of the collection is loaded.</summary>
    Gone = 2,
}
