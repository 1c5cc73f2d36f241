namespace Larder.Near.Tests.Worlds;

/// <summary>A stream's state at its server.</summary>
internal enum ServerSide : byte
{
    None,

    /// <summary>The near_open has not arrived at the server.</summary>
    Opening,

    /// <summary>The server has started to track changes but has not answered yet.</summary>
    Watching,

    Open,

    /// <summary>The stream receives no more notifications, but its records have not been removed yet.</summary>
    Leaving,

    Gone,
}
