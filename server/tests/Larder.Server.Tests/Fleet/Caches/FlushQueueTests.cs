using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis;
using Larder.Redis.Tests;
using Larder.Server.Calls;
using Larder.Server.Fleet;
using Larder.Server.Tests.Calls;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of the calls that wait for the end of a flush: order, limits and completion.</summary>
public sealed class FlushQueueTests : IAsyncLifetime, IDisposable
{
    private readonly RedisServer _redis = new();
    private readonly Answers _answers = new();
    private RedisStore _store = null!;
    private FlushQueue _hold = null!;

    public async Task InitializeAsync()
    {
        _store = await StallTolerantStore.StartAsync(_redis);
        _hold = new FlushQueue(_store);
    }

    public Task DisposeAsync() => _store.DisposeAsync().AsTask();

    public void Dispose() => _redis.Dispose();

    [Fact]
    public void Held_calls_run_in_order_when_the_flush_ends()
    {
        for (int number = 1; number <= 100; number++)
        {
            Set("k", $"{number}");
        }

        _store.Flush();
        Assert.Equal(("", 0), (_redis.Ask("keys", "*"), _answers.Count));
        _hold.End();
        Eventually.Until(() => _answers.Count == 100, "all are answered");
        Assert.Equal("100", _redis.Ask("get", "L1.2:k"));
        Set("k", "later");
        _store.Flush();
        Eventually.Until(() => _redis.Ask("get", "L1.2:k") == "later", "it is stored");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(9 * ConnectionLimits.MaxCalls)]
    public void Calls_over_limit_of_held_calls_fail_as_not_executed(int past)
    {
        for (int number = 0; number < ConnectionLimits.MaxCalls + past; number++)
        {
            Set($"k{number}", "v");
        }

        Assert.Equal(past, _answers.Failures.Count);
        Assert.All(_answers.Failures, static failure => Assert.Equal((RedisFailureKind.Overloaded, true), (failure.Kind, failure.NotExecuted)));
        _hold.End();
        Eventually.Until(() => _answers.Count == ConnectionLimits.MaxCalls, "what was held is answered");
        Assert.Equal($"{ConnectionLimits.MaxCalls}", _redis.Ask("dbsize"));
    }

    [Theory]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(80)]
    public void Calls_over_byte_limit_of_held_calls_fail(int megabytes)
    {
        string value = new('v', 1 << 20);
        for (int number = 0; number < megabytes; number++)
        {
            Set($"k{number}", value);
        }

        // The limit is 8 MiB. The eighth call exceeds the limit, because keys are counted in addition to the values of 1 MiB.
        Assert.Equal(megabytes - 7, _answers.Failures.Count);
        _hold.End();
        Eventually.Until(() => _answers.Count == 7, "what was held is answered");
    }

    [Fact]
    public async Task Held_calls_fail_when_the_store_is_disposed()
    {
        Set("k", "v");
        await _store.DisposeAsync();
        _hold.End();
        Eventually.Until(() => _answers.Failures.Count == 1, "it has failed");
    }

    private void Set(string key, string value)
    {
        RemoteCommand command = new() { Caller = _answers };
        RemoteCache cache = new("cache", 1, 2) { Hold = _hold };
        byte[] request = new SetRequest { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes(value), TtlMs = 60_000 }.ToByteArray();
        long now = TimeProvider.System.GetTimestamp();
        long end = now + (60 * TimeProvider.System.TimestampFrequency);
        RemoteCall set = RemoteCallTable.ByName["Set"];
        command.Prepare(set, new RemoteTarget(cache, new CallRules(2 << 20, TimeSpan.FromHours(1))), 0, 0, now, end, request.Length);
        Assert.Null(set.Begin(request, command));
        command.SendNow(_store);
    }

    private sealed class Answers : RemoteCaller
    {
        private int _count;

        public override object Owner => this;

        public override bool IsGone => false;

        public int Count => Volatile.Read(ref _count);

        public List<RedisFailure> Failures { get; } = [];

        public override void OnReply(RemoteCommand command, ref RespReader reply) => Interlocked.Increment(ref _count);

        public override void OnFailure(RemoteCommand command, RedisFailure failure)
        {
            lock (Failures)
            {
                Failures.Add(failure);
            }
        }

        public override void OnJoined(RemoteCommand command) => throw new NotSupportedException();

        public override ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request) => throw new NotSupportedException();
    }
}
