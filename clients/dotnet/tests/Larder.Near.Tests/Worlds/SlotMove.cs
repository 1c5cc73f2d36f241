namespace Larder.Near.Tests.Worlds;

/// <summary>How a slot moves from one node to another, if it does.</summary>
internal enum SlotMove
{
    None,

    /// <summary>The slot moves, and the old node announces a change of each tracked key that it no longer has.</summary>
    Notified,

    /// <summary>The slot moves, and the old node announces nothing.</summary>
    Silent,
}
