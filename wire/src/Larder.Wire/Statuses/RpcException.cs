namespace Larder.Wire;

/// <summary>
/// A call that did not end with OK. On the client it carries what the server said, or what the transport made of a failure;
/// a server's handler throws it to end a call with a status and trailers.
/// </summary>
public sealed class RpcException : Exception
{
    /// <summary>The trailer by which a server says why a call failed.</summary>
    public const string CauseTrailer = "err";

    /// <summary>The value of <see cref="CauseTrailer"/> by which a server vouches that it did not begin the call.</summary>
    public const string NotExecutedCause = "not_executed";

    /// <summary>The value of <see cref="CauseTrailer"/> by which a server says that its own memory, not the caller's request, was the limit.</summary>
    public const string MemoryLimitCause = "memory_limit_exceeded";

    /// <summary>A failure with <paramref name="status"/>.</summary>
    public RpcException(Status status)
        : this(status, notProcessed: false)
    {
    }

    /// <summary>A failure with <paramref name="status"/> and the trailers that travel, or travelled, with it.</summary>
    public RpcException(Status status, IReadOnlyList<KeyValuePair<string, string>> trailers)
        : this(status, SaysNotExecuted(trailers)) => Trailers = trailers;

    internal RpcException(Status status, bool notProcessed, Exception? innerException = null)
        : base($"{status.Code}: {status.Message}", innerException)
    {
        Status = status;
        NotProcessed = notProcessed;
    }

    /// <summary>How the call ended.</summary>
    public Status Status { get; }

    /// <summary>The trailers beside the status, names in lower case; empty where the failure was the transport's.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Trailers { get; } = [];

    /// <summary>
    /// True where the call provably never reached a handler: the connection was never made, the stream was refused, or the server
    /// said <c>err: not_executed</c>. Such a call may be sent again whatever it does.
    /// </summary>
    public bool NotProcessed { get; }

    /// <summary>The value of the first trailer called <paramref name="name"/>, or null.</summary>
    public string? FindTrailer(string name)
    {
        foreach (KeyValuePair<string, string> trailer in Trailers)
        {
            if (string.Equals(trailer.Key, name, StringComparison.OrdinalIgnoreCase))
            {
                return trailer.Value;
            }
        }

        return null;
    }

    private static bool SaysNotExecuted(IReadOnlyList<KeyValuePair<string, string>> trailers)
    {
        foreach (KeyValuePair<string, string> trailer in trailers)
        {
            if (trailer.Value == NotExecutedCause && string.Equals(trailer.Key, CauseTrailer, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }
}
