namespace Larder.Near.Tests.Worlds;

/// <summary>What a stream is to its server.</summary>
internal enum ServerSide : byte
{
    None,

    /// <summary>Its near_open has not arrived.</summary>
    Opening,

    /// <summary>The server has begun to watch for changes, and has not answered.</summary>
    Watching,

    Open,

    /// <summary>It is told nothing more, and its notes are still to be forgotten.</summary>
    Leaving,

    Gone,
}
