namespace Larder.Client;

/// <summary>How calls travel to the server.</summary>
public enum Transport
{
    /// <summary>Pipelined where the server speaks it, otherwise unary; values over 64 KB by unary calls. The default.</summary>
    Auto = 0,

    /// <summary>One HTTP/2 request for each call.</summary>
    Unary,

    /// <summary>Many calls in each message of one long-lived stream; a server that does not speak it is an error.</summary>
    Pipeline,
}
