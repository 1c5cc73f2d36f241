namespace Larder.Client;

/// <summary>How calls are sent to the server.</summary>
public enum Transport
{
    /// <summary>
    /// The pipelined transport if the server supports it, otherwise the unary transport. Requests over 65,536 bytes are always sent by unary calls. This is the
    /// default.
    /// </summary>
    Auto = 0,

    /// <summary>The unary transport: one HTTP/2 request per call.</summary>
    Unary,

    /// <summary>The pipelined transport: one long-lived stream, with many calls in each message. Calls fail if the server does not support it.</summary>
    Pipeline,
}
