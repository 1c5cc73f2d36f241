namespace Larder.Client.Calls;

/// <summary>The phase of a call. Changed only by compare-and-swap (<see cref="Call.TryMove"/>, <see cref="Call.TryEnd"/>).</summary>
internal enum CallPhase
{
    /// <summary>The object is in the pool or not in use.</summary>
    Idle = 0,

    /// <summary>The call waits for a permit.</summary>
    Queued = 1,

    /// <summary>One thread holds the call exclusively for a short time, to encode it or to handle its failure. Other threads spin.</summary>
    Busy = 2,

    /// <summary>The transport has the call, which holds a permit.</summary>
    Sent = 3,

    /// <summary>The call waits to be retried and holds its permit (RETRY-8).</summary>
    BackingOff = 4,

    /// <summary>The call has its response. The thread that ended it returns the permit.</summary>
    Ended = 5,
}
