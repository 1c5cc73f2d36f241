using System.Globalization;
using System.Text;
using Larder.Harness.Redis;

namespace Larder.Redis.Tests;

/// <summary>Tests of the memory that commands allocate. The memory of the whole process is measured, so nothing else may run at the same time.</summary>
[Collection(nameof(SequentialTests))]
public sealed class AllocationTests
{
    private const int InFlight = 100;
    private const int Calls = 200_000;

    [Fact]
    public async Task Command_does_not_allocate()
    {
        using RedisServer server = new();
        await using TestStore store = new TestStore(server.Url).Ready();
        Assert.Equal("OK", await store.Call("SET", "@key0", new string('v', 100)));
        await Loop.RunAsync(store.Store, Calls / 4);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        await Loop.RunAsync(store.Store, Calls);
        long each = (GC.GetTotalAllocatedBytes(precise: true) - before) / Calls;
        // The remaining allocations are made by the 100 Loop commands, the timers and the test runner. One object per call would take at least 24 bytes.
        Assert.True(each < 4, $"{each} bytes a call");
    }

    [Fact]
    public async Task Incomplete_large_string_allocates_no_buffer_and_fails_the_call()
    {
        await using FakeServer server = new(static words => words[0] == "BREAK" ? "$200000000\r\nabc" : FakeServer.Honest(words));
        await using TestStore store = new TestStore(server.Url).Ready();
        long before = GC.GetTotalAllocatedBytes();
        Assert.Equal(RedisFailureKind.Ambiguous, (await store.Failure(new TestCommand("BREAK", "@k"))).Kind);
        Assert.True(GC.GetTotalAllocatedBytes() - before < 20_000_000);
        Assert.Equal("x", await store.Send(new TestCommand("GET", "@x") { IsIdempotent = true, Deadline = TestStore.Patiently }));
    }

    /// <summary>A command that is sent again each time it completes. Several such commands run concurrently.</summary>
    private sealed class Loop : RedisCommand
    {
        private readonly RedisStore _store;
        private readonly Run _run;
        private readonly byte[] _key;

        private Loop(RedisStore store, Run run, int number)
        {
            _store = store;
            _run = run;
            _key = Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"key{number}"));
        }

        public static async Task RunAsync(RedisStore store, int calls)
        {
            Run run = new(calls);
            for (int number = 0; number < InFlight; number++)
            {
                new Loop(store, run, number).Next();
            }

            store.Flush();
            await run.Done.Task.WaitAsync(Eventually.Limit);
        }

        protected internal override void OnReply(ref RespReader reply)
        {
            if (Interlocked.Decrement(ref _run.Left) > 0)
            {
                Next();
            }
            else
            {
                _run.Done.TrySetResult();
            }
        }

        protected internal override void OnFailure(RedisFailure failure) => _run.Done.TrySetException(new RedisFailedException(failure));

        private void Next()
        {
            Begin(2);
            Add("GET"u8);
            AddKey(default, _key);
            Deadline = TimeProvider.System.GetTimestamp() + (10 * TimeProvider.System.TimestampFrequency);
            IsIdempotent = true;
            _store.Send(this);
        }
    }

    private sealed class Run(int calls)
    {
        public int Left = calls;

        public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
