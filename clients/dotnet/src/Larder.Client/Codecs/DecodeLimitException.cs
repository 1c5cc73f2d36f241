namespace Larder.Client.Codecs;

/// <summary>
/// Thrown by a codec if a stored value exceeds a limit. The exception's message becomes the reason of an error with the code
/// <see cref="CacheErrorCode.DecodingFailed"/>, so the message must not contain any part of the value.
/// </summary>
public sealed class DecodeLimitException : Exception
{
    /// <summary>Creates the exception with a default message.</summary>
    public DecodeLimitException()
    {
    }

    /// <summary>Creates the exception with a message that describes the exceeded limit.</summary>
    /// <param name="message">The description of the limit. It must not contain any part of the value.</param>
    public DecodeLimitException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message that describes the exceeded limit.</summary>
    /// <param name="message">The description of the limit. It must not contain any part of the value.</param>
    /// <param name="innerException">The cause.</param>
    public DecodeLimitException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
