namespace Larder.Client.Pipeline;

/// <summary>Where the connection of the pipelined transport stands.</summary>
internal enum LinkPhase
{
    /// <summary>There is no stream, and none is being opened: none was asked for, or the server refused the last.</summary>
    Idle,

    /// <summary>A stream is being opened, or will be after a stream's short life: calls wait for it.</summary>
    Connecting,

    /// <summary>The next try comes after a wait, or the one under way takes long: past the grace calls fail at once (RETRY-9).</summary>
    BackingOff,

    /// <summary>There is a stream.</summary>
    Open,

    /// <summary>The server does not speak the pipeline: all calls are unary.</summary>
    Unary,

    /// <summary>The client was closed.</summary>
    Closed,
}
