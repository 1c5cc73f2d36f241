namespace Larder.Client.Calls;

/// <summary>
/// The phase of a call. Several threads may try to change the phases <see cref="Queued"/>, <see cref="Sent"/> and <see cref="BackingOff"/>, so they are changed
/// only with a compare-and-swap (<see cref="Call.TryMove"/>, <see cref="Call.TryEnd"/>). <see cref="Busy"/> is changed only by the thread that holds the call.
/// <see cref="Idle"/> and <see cref="Ended"/> are changed only by the thread that starts or ends the use of the object.
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
