using Google.Protobuf;
using Larder.Client.Tests.Support;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Client.Tests.Near;

/// <summary>Tests a server that sends invalid responses. Callers must get no exceptions, and the memory use must stay bounded.</summary>
public sealed class NearHostileTests
{
    [Fact]
    public async Task Unanswered_near_open_does_not_affect_calls()
    {
        await using NearScript script = await NearScript.ConnectAsync();
        await script.Stream.NextAsync(Operation.CallOneofCase.NearOpen);
        for (int call = 0; call < 10; call++)
        {
            Assert.False((await script.ReadAsync("k", "v1")).Near);
        }

        script.Time.AdvanceMs(10_000);
        Assert.Equal((0, null, 0), (script.Stream.Waiting, script.Served("k"), script.Figures.Kept));
    }

    [Fact]
    public async Task Lease_of_0_ms_disables_the_near_cache()
    {
        await using NearScript script = await NearScript.ConnectAsync();
        await script.Stream.OpenAsync(leaseMs: 0);
        await script.SayAsync(new BatchResult());
        Assert.False((await script.ReadAsync("k", "v1")).Near);
        script.Time.AdvanceMs(10_000);
        Assert.Equal(0, script.Stream.Waiting);
    }

    [Fact]
    public async Task Unexpected_response_to_near_open_disables_the_near_cache()
    {
        Result[] answers =
        [
            new() { NearRenew = new NearRenewed() },
            new() { Get = new Protocol.GetResponse { Result = Protocol.CacheResult.Hit }, Ticket = 7, TtlLeftMs = 1_000 },
            new() { UseUnary = new UseUnary() },
            new(),
        ];
        foreach (Result answer in answers)
        {
            await using NearScript script = await NearScript.ConnectAsync();
            answer.Id = (await script.Stream.NextAsync(Operation.CallOneofCase.NearOpen)).Id;
            await script.Stream.SendAsync(answer);
            await script.SayAsync(new BatchResult());
            Assert.False((await script.ReadAsync("k", "v1")).Near);
        }
    }

    [Fact]
    public async Task Unrequested_lease_ends_the_stream_and_its_calls()
    {
        await using NearScript script = await NearScript.OpenAsync(NearScript.Configured() with { MaxRetries = 0 });
        await script.ReadAsync("k", "v1");
        ValueTask<CacheResult> set = script.Cache.SetAsync("k", "v2");
        await script.Stream.NextAsync(Operation.CallOneofCase.Set);
        await script.Stream.SendAsync(new Result { Id = NearIdOf(script), NearOpen = new NearOpened { LeaseMs = 3_000 } });
        Assert.Equal(CacheErrorCode.Internal, Expect.Error(await Eventually.Within(set)).Code);
        Assert.Equal((null, 0), (script.Served("k"), script.Figures.Copies));
    }

    [Fact]
    public async Task Malformed_tickets_end_the_stream()
    {
        await using NearScript script = await NearScript.OpenAsync(NearScript.Configured() with { MaxRetries = 0 });
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.Stream.SendAsync([0x1a, 1, 0x80]);
        Assert.Equal(CacheErrorCode.Internal, Expect.Error(await Eventually.Within(get)).Code);
    }

    [Fact]
    public async Task Ticket_on_a_result_other_than_near_get_is_ignored()
    {
        await using NearScript script = await NearScript.OpenAsync(NearScript.Configured(NearScript.Setting with { KeyPrefixes = ["near:"] }));
        await script.ReadAsync("plain", "v1");
        ValueTask<CacheResult> set = script.Cache.SetAsync("near:k", "v2");
        Operation write = await script.Stream.NextAsync(Operation.CallOneofCase.Set);
        await script.Stream.SendAsync(new Result
        {
            Id =
            write.Id,
            Ticket = 7,
            TtlLeftMs = 1_000,
            Set = new Protocol.SetResponse { Result = Protocol.CacheResult.Ok }
        });
        Expect.Success(await Eventually.Within(set));
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("near:k");
        Operation read = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.Stream.SendAsync(new Result
        {
            Id = read.Id,
            Ticket = 7,
            TtlLeftMs = 1_000,
            Status = new CallStatus { Code = (uint)StatusCode.InvalidArgument },
        });
        Expect.Error(await Eventually.Within(get));
        Assert.Equal((0, 0), (script.Figures.Kept, script.Figures.Copies));
    }

    [Fact]
    public async Task Value_without_remaining_ttl_gets_no_near_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1", ttlLeftMs: 0);
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task Tickets_above_the_server_range_still_invalidate_near_copies()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1", ticket: uint.MaxValue);
        await script.ReadAsync("m", "v2", ticket: (1 << 20) + 1);
        await script.SayAsync(new BatchResult { Invalidated = { uint.MaxValue - 1 } });
        Assert.Equal((null, "v2"), (script.Served("k"), script.Served("m")));
        await script.SayAsync(new BatchResult { Invalidated = { 1 << 20, uint.MaxValue } });
        Assert.Equal((null, 2), (script.Served("m"), script.Figures.Invalidations));
    }

    [Fact]
    public async Task Million_tickets_use_bounded_memory()
    {
        await using NearScript script = await NearScript.OpenAsync();
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.SayAsync(new BatchResult { Invalidated = { Enumerable.Range(1_000, 1_000_000).Select(static ticket => (uint)ticket) } });
        script.Client.NearReads!.State.AssertValid();
        await script.Stream.SendAsync(ScriptedStream.Found(asked, "v1"));
        Expect.Hit(await Eventually.Within(get));
        Assert.Equal((null, 1), (script.Served("k"), script.Figures.Poisoned));
        await script.ReadAsync("k", "v2");
        Assert.Equal("v2", script.Served("k"));
    }

    [Fact]
    public async Task Clear_flag_in_every_message_leaves_no_near_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        for (int call = 0; call < 100; call++)
        {
            ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
            Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
            await script.Stream.SendAsync(new BatchResult { Clear = true, Results = { ScriptedStream.Found(asked, "v1") } });
            Expect.Hit(await Eventually.Within(get));
        }

        Assert.Equal((100, 100, 0, 0), (script.Figures.Clears, script.Figures.Poisoned, script.Figures.Kept, script.Figures.Copies));
    }

    [Fact]
    public async Task Truncated_invalidation_message_ends_the_stream_or_is_ignored()
    {
        byte[] message = new BatchResult { Invalidated = { 6, 1_000_000 }, Clear = true }.ToByteArray();
        for (int length = 1; length < message.Length; length++)
        {
            await using NearScript script = await NearScript.OpenAsync(NearScript.Configured() with { MaxRetries = 0 });
            ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
            Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
            await script.Stream.SendAsync(message[..length]);
            await script.Stream.SendAsync(ScriptedStream.Found(asked, "v1"));
            Assert.True(await Eventually.Within(get) is { IsHit: true } or { Error: { Code: CacheErrorCode.Internal } });
            Assert.Null(script.Served("k"));
        }
    }

    // Returns the id of the near_open and near_renew operations, which is the highest id of the pipeline.
    private static uint NearIdOf(NearScript script) => (uint)((4 * script.Client.Configuration.MaxInFlightPipeline) - 1);
}
