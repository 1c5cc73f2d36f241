namespace Larder.Store.Snapshots;

/// <summary>Which part of an item a record contains.</summary>
internal enum SnapshotPart : byte
{
    /// <summary>A scalar, or the first piece of a collection. It discards earlier pieces of the same collection.</summary>
    First = 0,

    /// <summary>The next piece of the collection of the previous record.</summary>
    More = 1,

    /// <summary>The end of a collection that was removed during the writing. None of it is loaded.</summary>
    Gone = 2,
}
