using Larder.Client.Calls;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Wire;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests;

public sealed class ChannelPoolTests
{
    private readonly ManualTime _time = new();
    // The outcomes of the next attempts to connect. An attempt succeeds if its entry is null or the queue is empty.
    private readonly Queue<Exception?> _connects = new();
    private int _made;

    [Fact]
    public async Task Calls_are_spread_over_the_minimum_number_of_channels()
    {
        await using ChannelPool pool = Pool(least: 2);
        await pool.AcquireAsync(default);
        await Eventually.Holds(() => pool.Connected == 2, "two channels");
        List<PooledChannel> taken = [];
        for (int call = 0; call < 9; call++)
        {
            taken.Add(await pool.AcquireAsync(default));
        }

        Assert.Equal([5, 5], taken.Distinct().Select(channel => channel.Streams));
        pool.AssertValid();
    }

    [Fact]
    public async Task Channel_carries_at_most_100_calls()
    {
        await using ChannelPool pool = Pool(least: 1);
        List<PooledChannel> taken = [];
        for (int call = 0; call < 201; call++)
        {
            taken.Add(await pool.AcquireAsync(default).AsTask().WaitAsync(Eventually.Limit));
            pool.AssertValid();
        }

        Assert.Equal(3, taken.Distinct().Count());
    }

    [Fact]
    public async Task Call_waits_for_a_stream_at_the_channel_limit()
    {
        await using ChannelPool pool = Pool(least: 1, most: 1);
        List<PooledChannel> taken = [];
        for (int call = 0; call < 100; call++)
        {
            taken.Add(await pool.AcquireAsync(default));
        }

        Task<PooledChannel> waiting = pool.AcquireAsync(default).AsTask();
        Assert.False(waiting.IsCompleted);
        pool.Release(taken[0], isBroken: false);
        await waiting.WaitAsync(Eventually.Limit);
        pool.AssertValid();
    }

    [Fact]
    public async Task Broken_channel_is_replaced_and_closed_after_its_last_call()
    {
        await using ChannelPool pool = Pool(least: 1);
        PooledChannel first = await pool.AcquireAsync(default);
        PooledChannel same = await pool.AcquireAsync(default);
        _time.Advance(TimeSpan.FromSeconds(5));
        pool.Release(first, isBroken: true);
        Assert.NotNull(first.Channel);
        PooledChannel next = await pool.AcquireAsync(default).AsTask().WaitAsync(Eventually.Limit);
        Assert.NotSame(first, next);
        pool.Release(same, isBroken: true);
        Assert.Null(first.Channel);
        pool.AssertValid();
    }

    [Fact]
    public async Task Failed_connection_attempt_fails_all_waiters_and_causes_back_off()
    {
        _connects.Enqueue(Refused());
        await using ChannelPool pool = Pool(least: 1);
        Task<PooledChannel>[] waiting = [pool.AcquireAsync(default).AsTask(), pool.AcquireAsync(default).AsTask()];
        foreach (Task<PooledChannel> wait in waiting)
        {
            ConnectException failed = await Assert.ThrowsAsync<ConnectException>(() => wait.WaitAsync(Eventually.Limit));
            Assert.True(failed.ToFailure() is { NotProcessed: true, NeverSent: true, FailFast: false });
        }

        Assert.Equal(1, Volatile.Read(ref _made));
        Task<PooledChannel> next = pool.AcquireAsync(default).AsTask();
        await Eventually.Holds(() => Step(20) && next.IsCompleted, "the next attempt");
        Assert.Equal(2, Volatile.Read(ref _made));
    }

    [Fact]
    public async Task Connection_attempt_that_throws_fails_calls_and_is_retried()
    {
        _connects.Enqueue(new ArgumentException("no such name"));
        await using ChannelPool pool = Pool(least: 1);
        ConnectException failed = await Assert.ThrowsAsync<ConnectException>(() => pool.AcquireAsync(default).AsTask().WaitAsync(Eventually.Limit));
        Failure failure = failed.ToFailure();
        Assert.Equal((StatusCode.Unavailable, true), (failure.Code, failure.NotProcessed));
        Assert.Contains("no such name", failure.Message, StringComparison.Ordinal);
        Task<PooledChannel> next = pool.AcquireAsync(default).AsTask();
        await Eventually.Holds(() => Step(20) && next.IsCompleted, "the next attempt");
    }

    [Fact]
    public async Task Calls_fail_immediately_when_connecting_has_failed_for_FailFastAfter()
    {
        for (int attempt = 0; attempt < 1_000; attempt++)
        {
            _connects.Enqueue(Refused());
        }

        await using ChannelPool pool = Pool(least: 1);
        bool failFast = false;
        await Eventually.Holds(() => Step(100) && HasFailedFast(), "a call that does not wait");

        bool HasFailedFast()
        {
            try
            {
                ValueTask<PooledChannel> acquired = pool.AcquireAsync(new CancellationToken(true));
                acquired.AsTask().GetAwaiter().GetResult();
            }
            catch (ConnectException exception)
            {
                failFast |= exception.ToFailure().FailFast;
            }
            catch (OperationCanceledException)
            {
                // The pool waits instead of failing immediately.
            }

            return failFast;
        }
    }

    [Fact]
    public async Task Connections_that_are_lost_at_once_lengthen_the_wait()
    {
        await using ChannelPool pool = Pool(least: 1);
        PooledChannel taken = await pool.AcquireAsync(default);
        foreach (int waitMs in (int[])[20, 40, 80, 160])
        {
            taken = await LoseAsync(taken, waitMs);
        }

        _time.Advance(TimeSpan.FromSeconds(1));
        pool.Release(taken, isBroken: true);
        taken = await pool.AcquireAsync(default).AsTask().WaitAsync(Eventually.Limit);
        await LoseAsync(taken, 20);

        // Loses the connection. The next attempt must start after exactly the wait.
        async Task<PooledChannel> LoseAsync(PooledChannel lost, int waitMs)
        {
            int made = Volatile.Read(ref _made);
            pool.Release(lost, isBroken: true);
            await Eventually.Holds(() => _time.RunningTimers == 1, "the pool waits");
            Step(waitMs - 1);
            Assert.Equal((1, made), (_time.RunningTimers, Volatile.Read(ref _made)));
            Step(1);
            return await pool.AcquireAsync(default).AsTask().WaitAsync(Eventually.Limit);
        }
    }

    private static RpcException Refused() => new(new Status(StatusCode.Unavailable, "refused"));

    private bool Step(int milliseconds)
    {
        _time.Advance(TimeSpan.FromMilliseconds(milliseconds));
        return true;
    }

    private ChannelPool Pool(int least, int most = 100) => new(
        new ChannelPoolOptions { Endpoint = "server:8080", Least = least, Most = most, FailFastAfter = TimeSpan.FromSeconds(5) },
        () => new FakeChannel(this),
        new RetryPolicy(3, TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(1)),
        () => 1.0,
        new Clock(_time),
        NullLogger.Instance);

    private sealed class FakeChannel(ChannelPoolTests test) : IChannel
    {
        public bool IsConnected => true;

        public ValueTask ConnectAsync(CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref test._made);
            lock (test._connects)
            {
                return test._connects.TryDequeue(out Exception? failure) && failure is not null ? throw failure : ValueTask.CompletedTask;
            }
        }

        public ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
            RpcMethod<TRequest, TResponse> method,
            TRequest request,
            RpcHeaders headers,
            TimeSpan timeout,
            CancellationToken cancellationToken) => throw new NotSupportedException();

        public IAsyncEnumerable<TResponse> ServerStreamAsync<TRequest, TResponse>(
            RpcMethod<TRequest, TResponse> method,
            TRequest request,
            RpcHeaders headers,
            TimeSpan timeout,
            CancellationToken cancellationToken) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
