namespace Larder.Client.Calls;

/// <summary>
/// The phase of a call. A phase other than <see cref="Busy"/> is left only by compare-and-swap (<see cref="Call.TryMove"/>, <see cref="Call.TryEnd"/>) or, for
/// <see cref="Idle"/> and <see cref="Ended"/>, by the thread that starts or ends the use of the object.
/// </summary>
internal enum CallPhase
{
    /// <summary>The object is in the pool or not in use.</summary>
    Idle = 0,

    /// <summary>The call waits for a permit.</summary>
    Queued = 1,

    /// <summary>One thread holds the call exclusively for a short time, to encode it or to handle its failure. Other threads that need the call spin.</summary>
    Busy = 2,

    /// <summary>The transport is sending the call or waiting for its response. The call holds a permit.</summary>
    Sent = 3,

    /// <summary>The call waits for its retry or for a token. It keeps its permit (RETRY-8).</summary>
    BackingOff = 4,

    /// <summary>The call has its response. The thread that ended it returns the permit.</summary>
    Ended = 5,
}
