namespace Larder.Wire;

/// <summary>The peer answered in another protocol: TLS instead of plaintext, plaintext instead of TLS, or HTTP/1. A retry meets the same peer.</summary>
public sealed class ProtocolMismatchException : IOException
{
    /// <summary>Creates the exception.</summary>
    public ProtocolMismatchException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What the peer speaks, and what to do.</param>
    public ProtocolMismatchException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What the peer speaks, and what to do.</param>
    /// <param name="innerException">The failure that showed it.</param>
    public ProtocolMismatchException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
