namespace Larder.Wire;

/// <summary>What a caller sees when a call was ended from this side or by the transport.</summary>
internal static class CallFailure
{
    /// <summary>The exception for <paramref name="error"/>: the caller's own cancellation first, then the deadline, then what the transport says.</summary>
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
                new Status(StatusCode.Unavailable, "The connection was not made in time, or was closed."), notProcessed: false, error),
            HttpRequestException or IOException => TransportFailure.From(error),
            _ => error,
        };
    }

    /// <summary>The caller gave the call up.</summary>
    public static OperationCanceledException GivenUp(CancellationToken caller, Exception? error = null) => new("The call was given up.", error, caller);

    /// <summary>The call's deadline passed.</summary>
    public static RpcException Expired(Exception? error = null) =>
        new(new Status(StatusCode.DeadlineExceeded, "The deadline passed before the answer came."), notProcessed: false, error);

    /// <summary>A call whose deadline had passed before it began: nothing is sent. Null where there is time.</summary>
    public static RpcException? Spent(TimeSpan? timeout) =>
        timeout <= TimeSpan.Zero
            ? new RpcException(new Status(StatusCode.DeadlineExceeded, "The deadline had passed before the call was sent."), notProcessed: true)
            : null;
}
