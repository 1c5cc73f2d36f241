namespace Larder.Client.Calls;

/// <summary>Where a call stands in its life. Changed by compare-and-swap alone (<see cref="Call.TryMove"/>, <see cref="Call.TryEnd"/>).</summary>
internal enum CallPhase
{
    /// <summary>In the pool, or between lives.</summary>
    Idle = 0,

    /// <summary>Waiting for a permit.</summary>
    Queued = 1,

    /// <summary>One thread has the call to itself, for a moment: it encodes it, or decides about its failure. Others wait, spinning.</summary>
    Busy = 2,

    /// <summary>With the transport; holds a permit.</summary>
    Sent = 3,

    /// <summary>Waiting to be sent again; holds its permit (RETRY-8).</summary>
    BackingOff = 4,

    /// <summary>Has its response; the permit is given back by whoever ended it.</summary>
    Ended = 5,
}
