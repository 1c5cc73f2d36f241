namespace Larder.Client.Codecs;

/// <summary>
/// Thrown by a codec for a stored value that exceeds a limit. The message becomes the reason of <see cref="CacheErrorCode.DecodingFailed"/>, so it must not
/// contain any part of the value.
/// </summary>
public sealed class DecodeLimitException : Exception
{
    /// <summary>Creates the exception.</summary>
    public DecodeLimitException()
    {
    }

    /// <summary>Creates the exception with the limit that was exceeded.</summary>
    /// <param name="message">The limit, without any part of the value.</param>
    public DecodeLimitException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with the limit that was exceeded.</summary>
    /// <param name="message">The limit, without any part of the value.</param>
    /// <param name="innerException">The cause.</param>
    public DecodeLimitException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
