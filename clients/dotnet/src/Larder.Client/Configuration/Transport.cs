namespace Larder.Client;

/// <summary>How calls are sent to the server.</summary>
public enum Transport
{
    /// <summary>Pipelined if the server supports it, otherwise unary. Values over 64 KB are sent by unary calls. This is the default.</summary>
    Auto = 0,

    /// <summary>One HTTP/2 request per call.</summary>
    Unary,

    /// <summary>Many calls in each message of one long-lived stream. Calls fail if the server does not support it.</summary>
    Pipeline,
}
