using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Wire;

namespace Larder.Client;

/// <summary>One attempt of a call as a unary rpc: takes a channel, sends, reads the answer and tells the call.</summary>
internal static class UnaryAttempt
{
    /// <summary>Runs to the attempt's end. Never fails: the call learns the outcome. Takes the call Busy and leaves it Sent.</summary>
    public static async Task RunAsync<TOperation, TResponse>(UnaryTransport transport, TypedCall<TOperation, TResponse> call, TOperation operation, long version)
        where TOperation : struct, IOperation<TOperation, TResponse>
        where TResponse : class
    {
        // Read while the call is ours: from here on it may end, and be used again.
        RpcHeaders headers = transport.HeadersOf(call);
        long deadlineAt = call.DeadlineAt;
        CancellationToken abandoned = (call.UnaryAbandonment ??= new CancellationTokenSource()).Token;
        call.Attempts++;
        call.Leave(version, CallPhase.Sent);

        PooledChannel? channel = null;
        bool isBroken = false;
        Failure failure;
        try
        {
            channel = await transport.Channels.AcquireAsync(abandoned).ConfigureAwait(false);
            call.NoteSent(version);
            TimeSpan remaining = transport.Clock.Between(transport.Clock.Now, deadlineAt);
            TResponse response = await SendAsync<TOperation, TResponse>(channel.Channel!, operation, headers, remaining, abandoned).ConfigureAwait(false);
            Release(transport, ref channel, isBroken: false);
            call.Complete(version, response);
            return;
        }
        catch (RpcException exception)
        {
            isBroken = IsBrokenConnection(exception);
            failure = Failure.From(exception);
        }
        catch (ConnectException exception)
        {
            failure = exception.ToFailure();
        }
        catch (FormatException exception)
        {
            failure = Failure.Unreadable(exception);
        }
        catch (OperationCanceledException)
        {
            // Given up by the call itself, which has ended, or by the closing pool.
            failure = new Failure(StatusCode.Cancelled, "The client gave the attempt up.");
        }
        catch (Exception exception)
        {
            // A fault of our own must still end the call and return its permit.
            Log.Fault(call.Executor.Logger, exception);
            failure = new Failure(StatusCode.Unknown, exception.Message) { Exception = exception };
        }

        Release(transport, ref channel, isBroken);
        call.Fail(version, failure);
    }

    private static ValueTask<TResponse> SendAsync<TOperation, TResponse>(IChannel channel, TOperation operation, RpcHeaders headers, TimeSpan timeout, CancellationToken abandoned)
        where TOperation : struct, IOperation<TOperation, TResponse>
        where TResponse : class
    {
        IAnswerCollector<TResponse>? collector = TOperation.Collect(operation);
        return collector is null
            ? channel.UnaryAsync(UnaryMethod<TOperation, TResponse>.Unary, operation, headers, timeout, abandoned)
            : CollectAsync<TOperation, TResponse>(channel, operation, collector, headers, timeout, abandoned);
    }

    private static async ValueTask<TResponse> CollectAsync<TOperation, TResponse>(IChannel channel, TOperation operation, IAnswerCollector<TResponse> collector, RpcHeaders headers, TimeSpan timeout, CancellationToken abandoned)
        where TOperation : struct, IOperation<TOperation, TResponse>
        where TResponse : class
    {
        await foreach (byte[] message in channel.ServerStreamAsync(UnaryMethod<TOperation, TResponse>.Stream, operation, headers, timeout, abandoned).ConfigureAwait(false))
        {
            collector.Add(message);
        }

        return collector.Finish();
    }

    private static void Release(UnaryTransport transport, ref PooledChannel? channel, bool isBroken)
    {
        if (channel is not null)
        {
            transport.Channels.Release(channel, isBroken);
            channel = null;
        }
    }

    // The transport's own failure, not a status that the server sent, and not the reset of one stream.
    private static bool IsBrokenConnection(RpcException exception) =>
        exception.Status.Code == StatusCode.Unavailable && exception.InnerException is HttpRequestException or IOException && !exception.NotProcessed;
}
