namespace Larder.Client.Pipeline;

/// <summary>The phase of the pipelined transport's connection.</summary>
internal enum LinkPhase
{
    /// <summary>There is no stream, and none is being opened: none was requested, or the server refused the last one.</summary>
    Idle,

    /// <summary>A stream is being opened, or will be after a wait because the last one lived only briefly. Calls wait for it.</summary>
    Connecting,

    /// <summary>The next attempt follows after a wait, or the current one takes long. After the grace period calls fail at once (RETRY-9).</summary>
    BackingOff,

    /// <summary>There is a stream.</summary>
    Open,

    /// <summary>The server does not support the pipeline, so all calls are unary.</summary>
    Unary,

    /// <summary>The client was closed.</summary>
    Closed,
}
