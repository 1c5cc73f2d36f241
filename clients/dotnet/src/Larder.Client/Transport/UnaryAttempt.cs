using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <summary>
/// One attempt of a call as a unary RPC: takes a channel, sends the request, reads the response and reports the outcome to the call. It never throws. The
/// objects are pooled. An async method would instead allocate its state for each call.
/// </summary>
internal sealed class UnaryAttempt<TOperation, TResponse>
    where TOperation : IOperation<TOperation, TResponse>
    where TResponse : class
{
    // The pool of unused attempts. It never contains more objects than the maximum number of concurrent attempts so far. The concurrency limit bounds this
    // number.
    private static readonly ConcurrentQueue<UnaryAttempt<TOperation, TResponse>> Idle = new();

    private readonly Action _onAnswered;
    private TypedCall<TOperation, TResponse>? _call;
    private UnaryTransport? _transport;
    private PooledChannel? _channel;
    private TOperation _operation = default!;
    private long _version;
    private int _shown;
    private ConfiguredValueTaskAwaitable<TResponse>.ConfiguredValueTaskAwaiter _answer;

    private UnaryAttempt() => _onAnswered = OnAnswered;

    /// <summary>Starts an attempt. Changes the call's phase from Busy to Sent.</summary>
    public static void Start(UnaryTransport transport, TypedCall<TOperation, TResponse> call, in TOperation operation, long version)
    {
        // Read the headers while the call is Busy. After this phase, the call may end and its object may be reused.
        RpcHeaders headers = transport.HeadersOf(call, out int shown);
        long deadlineAt = call.DeadlineAt;
        CancellationToken abandoned = (call.UnaryAbandonment ??= new CancellationTokenSource()).Token;
        call.Attempts++;
        if (transport.Channels.TryAcquire() is not { } channel)
        {
            call.Leave(version, CallPhase.Sent);
            _ = StartLaterAsync(transport, call, operation, version, headers, shown, deadlineAt, abandoned);
            return;
        }

        call.Sends++;
        call.Leave(version, CallPhase.Sent);
        Rent(transport, call, channel, version, shown).Send(operation, headers, deadlineAt, abandoned);
    }

    private static async Task StartLaterAsync(
        UnaryTransport transport,
        TypedCall<TOperation, TResponse> call,
        TOperation operation,
        long version,
        RpcHeaders headers,
        int shown,
        long deadlineAt,
        CancellationToken abandoned)
    {
        PooledChannel channel;
        try
        {
            channel = await transport.Channels.AcquireAsync(abandoned).On(PoolQueue.Work);
        }
        catch (ConnectException exception)
        {
            call.Fail(version, exception.ToFailure());
            return;
        }
        catch (OperationCanceledException)
        {
            call.Fail(version, GivenUp());
            return;
        }

        call.NoteSent(version);
        Rent(transport, call, channel, version, shown).Send(operation, headers, deadlineAt, abandoned);
    }

    private static UnaryAttempt<TOperation, TResponse> Rent(
        UnaryTransport transport,
        TypedCall<TOperation, TResponse> call,
        PooledChannel channel,
        long version,
        int shown)
    {
        if (!Idle.TryDequeue(out UnaryAttempt<TOperation, TResponse>? attempt))
        {
            attempt = new UnaryAttempt<TOperation, TResponse>();
        }

        attempt._transport = transport;
        attempt._call = call;
        attempt._channel = channel;
        attempt._version = version;
        attempt._shown = shown;
        return attempt;
    }

    private void Send(in TOperation operation, RpcHeaders headers, long deadlineAt, CancellationToken abandoned)
    {
        TimeSpan remaining = _transport!.Clock.Between(_transport.Clock.Now, deadlineAt);
        headers = _channel!.HeadersOf(headers);
        _operation = operation;
        try
        {
            IAnswerCollector<TResponse>? collector = TOperation.Collect(operation);
            ValueTask<TResponse> answer = collector is null
                ? _channel.Channel!.UnaryAsync(UnaryMethod<TOperation, TResponse>.Unary, operation, headers, remaining, abandoned)
                : CollectAsync(_channel.Channel!, operation, collector, headers, remaining, abandoned);
            if (collector is not null && PoolState.IsLate && !answer.IsCompleted)
            {
                AwaitTask(answer.AsTask());
                return;
            }

            _answer = answer.ConfigureAwait(false).GetAwaiter();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // The request could not be encoded.
            End(FailureOf(exception), isBroken: false);
            return;
        }

        if (_answer.IsCompleted)
        {
            OnAnswered();
        }
        else
        {
            _answer.UnsafeOnCompleted(_onAnswered);
        }
    }

    // Registers OnAnswered with ContinueWith. If the response arrives during the registration, OnAnswered runs on this thread. An await would queue it to the
    // thread pool instead.
    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept and asked once, by OnAnswered.")]
    private void AwaitTask(Task<TResponse> answer)
    {
        _answer = new ValueTask<TResponse>(answer).ConfigureAwait(false).GetAwaiter();
        answer.ContinueWith(
            static (_, attempt) => ((UnaryAttempt<TOperation, TResponse>)attempt!).OnAnswered(),
            this,
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
    }

    private void OnAnswered()
    {
        TResponse response;
        try
        {
            response = _answer.GetResult();
            TOperation.Require(_operation, response);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            End(FailureOf(exception), IsBrokenConnection(exception));
            return;
        }

        (TypedCall<TOperation, TResponse> call, long version) = Release(isBroken: false);
        call.Complete(version, response);
    }

    private void End(in Failure failure, bool isBroken)
    {
        (TypedCall<TOperation, TResponse> call, long version) = Release(isBroken);
        call.Fail(version, failure);
    }

    private (TypedCall<TOperation, TResponse> Call, long Version) Release(bool isBroken)
    {
        (TypedCall<TOperation, TResponse> Call, long Version) ended = (_call!, _version);
        _transport!.Channels.Release(_channel!, isBroken);
        _transport = null;
        _call = null;
        _channel = null;
        _operation = default!;
        _answer = default;
        Idle.Enqueue(this);
        return ended;
    }

    private Failure FailureOf(Exception exception)
    {
        switch (exception)
        {
            case RpcException failed:
                return Failure.From(failed) with { Shown = _shown };
            case FormatException:
                return Failure.Unreadable(exception);
            case OperationCanceledException:
                return GivenUp();
            default:
                // This is an internal error. The call must still end and return its permit.
                Log.Fault(_call!.Runner.Logger, exception);
                return new Failure(StatusCode.Unknown, exception.Message) { Exception = exception };
        }
    }

    // Returns the failure of an attempt that was cancelled, because its call has ended or the pool is being closed.
    private static Failure GivenUp() => new(StatusCode.Cancelled, "The client abandoned the attempt.");

    private static async ValueTask<TResponse> CollectAsync(
        IChannel channel,
        TOperation operation,
        IAnswerCollector<TResponse> collector,
        RpcHeaders headers,
        TimeSpan timeout,
        CancellationToken abandoned)
    {
        IAsyncEnumerator<byte[]> messages = channel
            .ServerStreamAsync(UnaryMethod<TOperation, TResponse>.Stream, operation, headers, timeout, abandoned)
            .GetAsyncEnumerator(CancellationToken.None);
        await using (messages.ConfigureAwait(false))
        {
            while (await messages.MoveNextAsync().WithPoolCheck())
            {
                collector.Add(messages.Current);
            }
        }

        return collector.Finish();
    }

    // Returns whether the connection is broken. A status that the server sent and the reset of a single stream do not mean that the connection is broken.
    private static bool IsBrokenConnection(Exception exception) =>
        exception is RpcException { Status.Code: StatusCode.Unavailable, NotProcessed: false, InnerException: HttpRequestException or IOException };
}
