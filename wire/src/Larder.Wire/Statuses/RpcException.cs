namespace Larder.Wire;

/// <summary>
/// The exception for a call that did not end with OK. On the client, it contains the server's status, or a status that describes a transport failure. On the
/// server, a handler throws it to end a call with a status and trailers.
/// </summary>
public sealed class RpcException : Exception
{
    /// <summary>The name of the trailer in which a server reports why a call failed.</summary>
    public const string CauseTrailer = "err";

    /// <summary>The value of <see cref="CauseTrailer"/> with which a server guarantees that it did not start the call.</summary>
    public const string NotExecutedCause = "not_executed";

    /// <summary>
    /// The value of <see cref="CauseTrailer"/> with which a server reports that it ran out of memory. The caller's request is not the cause of the error.
    /// </summary>
    public const string MemoryLimitCause = "memory_limit_exceeded";

    /// <summary>Creates an exception with <paramref name="status"/>.</summary>
    public RpcException(Status status)
        : this(status, notProcessed: false)
    {
    }

    /// <summary>Creates an exception with <paramref name="status"/> and the trailers that are sent or were received with the status.</summary>
    public RpcException(Status status, IReadOnlyList<KeyValuePair<string, string>> trailers)
        : this(status, IsMarkedNotExecuted(trailers)) => Trailers = trailers;

    internal RpcException(Status status, bool notProcessed, Exception? innerException = null)
        : base($"{status.Code}: {status.Message}", innerException)
    {
        Status = status;
        NotProcessed = notProcessed;
    }

    /// <summary>Gets the status of the call.</summary>
    public Status Status { get; }

    /// <summary>Gets the trailers except for the status, with names in lower case. The list is empty if the transport failed.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Trailers { get; } = [];

    /// <summary>
    /// Gets whether it is certain that the call never reached a handler, because the connection was not established, the stream was refused, or the server sent
    /// <c>err: not_executed</c>. Such a call can always be retried safely, even if it is not idempotent.
    /// </summary>
    public bool NotProcessed { get; }

    /// <summary>Returns the value of the first trailer called <paramref name="name"/>, or null if there is none.</summary>
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

    private static bool IsMarkedNotExecuted(IReadOnlyList<KeyValuePair<string, string>> trailers)
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
