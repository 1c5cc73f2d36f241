namespace Larder.Wire;

/// <summary>What a caller sees when a call was ended from this side or by the transport.</summary>
internal static class CallFailure
{
    /// <summary>The exception for <paramref name="error"/>: the caller's own cancellation first, then the deadline, then what the transport says.</summary>
    public static Exception From(Exception error, bool hasExpired, CancellationToken caller)
    {
        if (caller.IsCancellationRequested)
        {
            return new OperationCanceledException("The call was given up.", error, caller);
        }

        if (hasExpired)
        {
            return new RpcException(new Status(StatusCode.DeadlineExceeded, "The deadline passed before the answer came."), [], notProcessed: false, error);
        }

        return error switch
        {
            RpcException => error,
            ObjectDisposedException => new RpcException(new Status(StatusCode.Unavailable, "The channel is closed."), [], notProcessed: true, error),
            OperationCanceledException => new RpcException(new Status(StatusCode.Unavailable, "The connection was not made in time, or was closed."), [], notProcessed: false, error),
            HttpRequestException or IOException => TransportFailure.From(error),
            _ => error,
        };
    }

    /// <exception cref="RpcException">No time is left: nothing is sent.</exception>
    public static void ThrowIfSpent(TimeSpan? timeout)
    {
        if (timeout <= TimeSpan.Zero)
        {
            throw new RpcException(new Status(StatusCode.DeadlineExceeded, "The deadline had passed before the call was sent."), [], notProcessed: true, innerException: null);
        }
    }
}
