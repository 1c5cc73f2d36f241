namespace Larder.Client.Pipeline;

/// <summary>The phase of the pipelined transport's connection.</summary>
internal enum LinkPhase
{
    /// <summary>There is no stream, and no attempt to open one is in progress: no stream has been requested, or the server refused the last attempt.</summary>
    Idle,

    /// <summary>A stream is being opened, or will be opened after a wait because the last stream lasted only briefly. Calls wait for the stream.</summary>
    Connecting,

    /// <summary>
    /// Either the last attempt failed and the next attempt follows after a wait, or the current attempt has exceeded <see cref="RetryPolicy.AttemptTimeout"/>.
    /// After the grace period, calls fail immediately in this phase (RETRY-9).
    /// </summary>
    BackingOff,

    /// <summary>A stream is open.</summary>
    Open,

    /// <summary>The server does not support the pipeline, so all calls are unary.</summary>
    Unary,

    /// <summary>The client was closed.</summary>
    Closed,
}
