using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Where a stream stands in its life. Changed by compare-and-swap alone.</summary>
internal enum StreamPhase
{
    /// <summary>Of nobody: in a pool, or new.</summary>
    Idle = 0,

    /// <summary>One thread has it to itself, for a moment: its caller prepares it, or the reader reads a frame of it. Others wait, spinning.</summary>
    Held = 1,

    /// <summary>Waits for a place on the connection; nothing was sent.</summary>
    Waiting = 2,

    /// <summary>Has an id.</summary>
    Open = 3,

    /// <summary>Has its outcome; nobody but its owner touches it.</summary>
    Ended = 4,
}
