using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>
/// Both directions of a bidirectional call as bytes: the handler reads and writes whole frames (five bytes of header, and the message) itself.
/// It may live for days: no limit of body or rate applies to it.
/// </summary>
public sealed class DuplexStream
{
    internal DuplexStream(PipeReader input, PipeWriter output)
    {
        Input = input;
        Output = output;
    }

    /// <summary>What the caller sends; completed when it has sent everything.</summary>
    public PipeReader Input { get; }

    /// <summary>What the caller receives. The response's headers have been sent.</summary>
    public PipeWriter Output { get; }
}
