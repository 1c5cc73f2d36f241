namespace Larder.Near.Tests.Worlds;

/// <summary>How a slot moves from one node to another, if it does.</summary>
internal enum SlotMove
{
    None,

    /// <summary>The old node announces the change of each tracked key that it no longer has.</summary>
    Notified,

    /// <summary>The old node announces nothing.</summary>
    Silent,
}
