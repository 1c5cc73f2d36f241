namespace Larder.Near.Tests.Worlds;

/// <summary>A stream's state at its server.</summary>
internal enum ServerSide : byte
{
    None,

    /// <summary>The near_open has not arrived.</summary>
    Opening,

    /// <summary>The server has started to watch for changes but has not answered yet.</summary>
    Watching,

    Open,

    /// <summary>The stream gets no more notifications, and its records still have to be removed.</summary>
    Leaving,

    Gone,
}
