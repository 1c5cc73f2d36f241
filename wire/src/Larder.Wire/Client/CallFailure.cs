namespace Larder.Wire;

/// <summary>Creates the exceptions for calls that the client or the transport has ended.</summary>
internal static class CallFailure
{
    /// <summary>
    /// Returns the exception for <paramref name="error"/>. The caller's cancellation takes precedence, then the deadline, then the transport's error.
    /// </summary>
    public static Exception From(Exception error, bool hasExpired, CancellationToken caller)
    {
        if (caller.IsCancellationRequested)
        {
            return GivenUp(caller, error);
        }

        if (hasExpired)
        {
            return Expired(error);
        }

        return error switch
        {
            RpcException => error,
            ObjectDisposedException => new RpcException(new Status(StatusCode.Unavailable, "The channel is closed."), notProcessed: true, error),
            OperationCanceledException => new RpcException(
                new Status(StatusCode.Unavailable, "The connection was not established in time, or was closed."), notProcessed: false, error),
            HttpRequestException or IOException => TransportFailure.From(error),
            _ => error,
        };
    }

    /// <summary>Returns the exception for a call that its caller cancelled.</summary>
    public static OperationCanceledException GivenUp(CancellationToken caller, Exception? error = null) => new("The call was cancelled.", error, caller);

    /// <summary>Returns the exception for a call whose deadline passed.</summary>
    public static RpcException Expired(Exception? error = null) =>
        new(new Status(StatusCode.DeadlineExceeded, "The deadline passed before the response arrived."), notProcessed: false, error);

    /// <summary>Returns an exception if the timeout is zero or negative, because such a call must not be sent. Otherwise returns null.</summary>
    public static RpcException? Spent(TimeSpan? timeout) =>
        timeout <= TimeSpan.Zero
            ? new RpcException(new Status(StatusCode.DeadlineExceeded, "The deadline had passed before the call was sent."), notProcessed: true)
            : null;
}
