using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>The phase of a stream. Changed only by compare-and-swap.</summary>
internal enum StreamPhase
{
    /// <summary>The stream has no owner: it is new or in a pool.</summary>
    Idle = 0,

    /// <summary>
    /// One thread briefly has exclusive access. This thread is the caller that prepares the stream, or the reader that reads a frame of the stream. Other
    /// threads spin until the phase changes.
    /// </summary>
    Held = 1,

    /// <summary>The stream waits for the connection; nothing was sent.</summary>
    Waiting = 2,

    /// <summary>The stream has an id.</summary>
    Open = 3,

    /// <summary>The outcome of the stream is set. Only the owner of the stream accesses it.</summary>
    Ended = 4,
}
