namespace Larder.Near.Tests.Worlds;

/// <summary>The ways in which a slot can move from one node to another.</summary>
internal enum SlotMove
{
    None,

    /// <summary>The slot moves, and the old node announces a change of each tracked key that it no longer has.</summary>
    Notified,

    /// <summary>The slot moves, and the old node announces nothing.</summary>
    Silent,
}
