namespace Larder.Near.Tests.Worlds;

/// <summary>How a slot moves from one node to another, where it does.</summary>
internal enum SlotMove
{
    None,

    /// <summary>The node that had it tells of each tracked key that it has no more.</summary>
    Told,

    /// <summary>It tells nobody.</summary>
    Silent,
}
