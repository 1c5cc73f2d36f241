namespace Larder.Wire;

/// <summary>
/// The exception that is thrown when the peer uses another protocol: TLS instead of plaintext, plaintext instead of TLS, or HTTP/1. A retry would fail in the
/// same way.
/// </summary>
public sealed class ProtocolMismatchException : IOException
{
    /// <summary>Creates the exception.</summary>
    public ProtocolMismatchException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">The protocol of the peer, and what to do.</param>
    public ProtocolMismatchException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">The protocol of the peer, and what to do.</param>
    /// <param name="innerException">The failure that revealed the mismatch.</param>
    public ProtocolMismatchException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
