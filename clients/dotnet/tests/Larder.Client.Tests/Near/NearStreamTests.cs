using Google.Protobuf;
using Larder.Client.Tests.Support;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Client.Tests.Near;

/// <summary>Tests the messages that a client with a near cache sends and receives. The test plays the server and controls the clock.</summary>
public sealed class NearStreamTests
{
    [Fact]
    public async Task NEAR_20_near_open_is_the_first_operation_of_a_stream()
    {
        await using NearScript script = await NearScript.ConnectAsync();
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        Operation first = await script.Stream.NextAsync(Operation.CallOneofCase.NearOpen);
        Assert.Equal(("", 0u), (first.Cache, first.DeadlineMs));

        // Until near_open is answered, the client sends gets without the near flag, and stores no copies.
        Operation plain = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        Assert.False(plain.Near);
        await script.Stream.SendAsync(ScriptedStream.Found(plain, "v1"));
        Expect.Hit(await Eventually.Within(get));
        Assert.Null(script.Served("k"));
        Assert.Equal(0, script.Figures.Kept);
    }

    [Fact]
    public async Task NEAR_24_repeated_read_is_served_without_a_call()
    {
        await using NearScript script = await NearScript.OpenAsync();
        Operation asked = await script.ReadAsync("k", "v1");
        Assert.True(asked.Near);
        Assert.Equal("v1", script.Served("k"));
        ValueTask<LookupResult<CacheValue>> again = script.Cache.GetAsync("k");
        Assert.True(again.IsCompletedSuccessfully);
        Assert.Equal("v1", Expect.Hit(await again).Text);
        Assert.Equal((2, 1, 1), (script.Figures.Hits, script.Figures.Kept, script.Figures.Copies));
        Assert.Equal(0, script.Stream.Waiting);
    }

    [Fact]
    public async Task NEAR_21_copies_are_served_until_the_lease_ends()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        script.Time.AdvanceMs(1_000);
        Operation renew = await script.Stream.NextAsync(Operation.CallOneofCase.NearRenew);
        script.Time.AdvanceMs(999);
        await script.Stream.SendAsync(new Result { Id = renew.Id, NearRenew = new NearRenewed() });
        await script.SayAsync(new BatchResult());

        // The near_renew was sent at 1 s, so the lease lasts until 4 s even if later renews are not answered.
        script.Time.AdvanceMs(2_000);
        Assert.Equal("v1", script.Served("k"));
        script.Time.AdvanceMs(1);
        Assert.Null(script.Served("k"));
        await script.Stream.NextAsync(Operation.CallOneofCase.NearRenew);
        Assert.Equal(0, script.Stream.Waiting);
    }

    [Fact]
    public async Task NEAR_21_lease_is_renewed_at_a_third_of_its_duration()
    {
        foreach ((uint leaseMs, int gapMs) in new[] { (600u, 200), (uint.MaxValue, 1_000), (1u, 10) })
        {
            await using NearScript script = await NearScript.OpenAsync(leaseMs: leaseMs);
            script.Time.AdvanceMs(gapMs - 1);
            Assert.Equal(0, script.Stream.Waiting);
            script.Time.AdvanceMs(1);
            await script.Stream.NextAsync(Operation.CallOneofCase.NearRenew);
        }
    }

    [Fact]
    public async Task NEAR_21_only_one_renewal_is_in_flight()
    {
        await using NearScript script = await NearScript.OpenAsync();
        script.Time.AdvanceMs(10_000);
        Operation renew = await script.Stream.NextAsync(Operation.CallOneofCase.NearRenew);
        await script.SayAsync(new BatchResult());
        Assert.Equal(0, script.Stream.Waiting);
        await script.Stream.SendAsync(new Result { Id = renew.Id, NearRenew = new NearRenewed() });
        await script.SayAsync(new BatchResult());
        script.Time.AdvanceMs(1_000);
        await script.Stream.NextAsync(Operation.CallOneofCase.NearRenew);
    }

    [Fact]
    public async Task NEAR_21_copies_are_not_served_after_the_machine_slept()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        script.Time.Jump(TimeSpan.FromHours(1));
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task NEAR_25_copy_ttl_starts_when_its_get_was_sent()
    {
        await using NearScript script = await NearScript.OpenAsync();
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        script.Time.AdvanceMs(400);
        await script.Stream.SendAsync(ScriptedStream.Found(asked, "v1", ttlLeftMs: 900));
        await Eventually.Within(get);
        script.Time.AdvanceMs(499);
        Assert.Equal("v1", script.Served("k"));
        script.Time.AdvanceMs(1);
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task NEAR_6_invalidations_apply_before_results_of_the_same_message()
    {
        await using NearScript script = await NearScript.OpenAsync();
        foreach (byte[] change in new byte[][] { [0x1a, 1, 6], [0x18, 6], [0x20, 1] })
        {
            ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
            Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);

            // The tickets follow the result. The Larder server never writes them in this order.
            byte[] result = new BatchResult { Results = { ScriptedStream.Found(asked, "v1") } }.ToByteArray();
            await script.Stream.SendAsync([.. result, .. change]);
            Expect.Hit(await Eventually.Within(get));
            Assert.Null(script.Served("k"));
        }

        Assert.Equal((3, 0), (script.Figures.Poisoned, script.Figures.Kept));
    }

    [Fact]
    public async Task NEAR_23_pushed_ticket_drops_the_copies_that_have_it()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        await script.ReadAsync("other", "v2", ticket: 8);
        await script.Stream.SendAsync(new BatchResult { Invalidated = { 6 } });
        await Eventually.Holds(() => script.Served("k") is null, "the copy is dropped");
        Assert.Equal(("v2", 1), (script.Served("other"), script.Figures.Invalidations));
        await script.Stream.SendAsync(new BatchResult { Clear = true });
        await Eventually.Holds(() => script.Served("other") is null, "all copies are dropped");
        Assert.Equal(1, script.Figures.Clears);
    }

    [Fact]
    public async Task NEAR_20_ended_stream_drops_copies_and_another_stream_replaces_it()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        await script.EndStreamAsync();
        Assert.Equal((null, 0), (script.Served("k"), script.Figures.Copies));
        await script.Stream.OpenAsync();
        await Eventually.Holds(() => script.Client.NearReads!.Stream is not null, "it is the near stream");
        await script.ReadAsync("k", "v3");
        Assert.Equal("v3", script.Served("k"));
    }

    [Fact]
    public async Task NEAR_20_draining_stream_drops_its_copies_and_adds_none()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("late");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.Stream.SendAsync(new BatchResult { Draining = true });
        await Eventually.Holds(() => script.Served("k") is null, "the copies are gone");
        await script.Stream.SendAsync(ScriptedStream.Found(asked, "v2", ticket: 8));
        Expect.Hit(await Eventually.Within(get));
        Assert.Equal((null, 0), (script.Served("late"), script.Figures.Copies));
    }

    [Theory]
    [InlineData(StatusCode.Unimplemented)]
    [InlineData(StatusCode.ResourceExhausted)]
    public async Task NEAR_20_rejected_near_open_is_logged_once_and_calls_continue(StatusCode code)
    {
        LogLines log = new();
        await using NearScript script = await NearScript.ConnectAsync(logger: log);
        for (int stream = 0; stream < 2; stream++)
        {
            Operation open = await script.Stream.NextAsync(Operation.CallOneofCase.NearOpen);
            await script.Stream.SendAsync(new Result { Id = open.Id, Status = new CallStatus { Code = (uint)code, Message = "none left" } });
            await script.SayAsync(new BatchResult());
            Assert.False((await script.ReadAsync("k", "v1")).Near);
            Assert.Null(script.Served("k"));
            await script.EndStreamAsync();
        }

        Assert.Single(log.Lines, static line => line.Contains("near cache is unavailable", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Rejected_renewal_ends_the_near_stream()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        script.Time.AdvanceMs(1_000);
        Operation renew = await script.Stream.NextAsync(Operation.CallOneofCase.NearRenew);
        await script.Stream.SendAsync(new Result { Id = renew.Id, Status = new CallStatus { Code = (uint)StatusCode.FailedPrecondition } });
        await script.SayAsync(new BatchResult());
        Assert.Null(script.Served("k"));
        Assert.False((await script.ReadAsync("k", "v2")).Near);
    }

    [Fact]
    public async Task NEAR_28_hit_needs_no_permit_and_allocates_nothing()
    {
        await using NearScript script = await NearScript.OpenAsync(NearScript.Configured() with { MaxInFlightPipeline = 1, QueueLimit = 0 });
        await script.ReadAsync("k", "v1");
        ValueTask<LookupResult<CacheValue>> stuck = script.Cache.GetAsync("stuck");
        Assert.Equal(CacheErrorCode.ClientOverloaded, Expect.Error(await script.Cache.GetAsync("third")).Code);
        byte[] key = "k"u8.ToArray();
        Assert.True(script.Cache.TryGetNear(key, out _));
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int hit = 0; hit < 1_000; hit++)
        {
            Assert.True(script.Cache.TryGetNear(key, out _));
            Assert.True(script.Cache.TryGetNear("k", out _));
            await script.Cache.GetAsync("k");
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        await script.Stream.AnswerGetAsync("v2", ticket: 8);
        await Eventually.Within(stuck);
    }

    [Fact]
    public async Task NEAR_30_near_hit_returns_bytes_the_caller_may_change()
    {
        await using NearScript script = await NearScript.OpenAsync();
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        await script.Stream.AnswerGetAsync("v1");
        CacheValue first = Expect.Hit(await Eventually.Within(get));
        CacheValue copied = Expect.Hit(await script.Cache.GetAsync("k"));
        foreach (byte[] given in new[] { first.ToArray(), first.ToArray(), copied.ToArray() })
        {
            given[0] = (byte)'x';
        }

        Assert.Equal(("v1", "v1", "v1"), (script.Served("k"), first.Text, copied.Text));
    }

    [Fact]
    public async Task Get_with_cancelled_token_fails_even_if_a_copy_exists()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        LookupResult<CacheValue> answer = await script.Cache.GetAsync("k", new CancellationToken(canceled: true));
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(answer).Code);
        Assert.Equal("v1", script.Served("k"));
    }

    [Fact]
    public async Task TryGetNear_returns_false_for_invalid_names_and_keys()
    {
        await using NearScript script = await NearScript.OpenAsync();
        Assert.False(script.Client.Cache(null!).TryGetNear((CacheBytes)"k", out _));
        Assert.False(script.Client.Cache(null!).TryGetNear("k"u8, out _));
        Assert.False(script.Cache.TryGetNear(default(CacheBytes), out _));
        Assert.False(script.Cache.TryGetNear((CacheBytes)"\ud800", out _));
        Assert.False(script.Cache.TryGetNear("k"u8, out CacheValue value));
        Assert.Equal(0, value.Length);
    }

    [Fact]
    public async Task NEAR_29_reads_of_unconfigured_caches_and_keys_are_not_cached()
    {
        NearCache setting = NearScript.Setting with { Caches = ["cache", "others"], KeyPrefixes = ["user:", "\u00fc"] };
        await using NearScript script = await NearScript.OpenAsync(NearScript.Configured(setting));
        Assert.False((await script.ReadAsync("k", "v1")).Near);
        Assert.False((await script.ReadAsync("user", "v1")).Near);
        Assert.True((await script.ReadAsync("user:", "v2")).Near);
        Assert.True((await script.ReadAsync("\u00fcber", "v3")).Near);
        ValueTask<LookupResult<CacheValue>> elsewhere = script.Client.Cache("elsewhere").GetAsync("user:1");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        Assert.False(asked.Near);
        await script.Stream.SendAsync(ScriptedStream.Found(asked, "v4"));
        await Eventually.Within(elsewhere);
        Assert.Equal((null, "v2", "v3", 2), (script.Served("k"), script.Served("user:"), script.Served("\u00fcber"), script.Figures.Copies));
    }

    [Fact]
    public async Task Client_without_near_cache_sends_no_near_open()
    {
        await using NearScript script = await NearScript.ConnectAsync(NearScript.Configured() with { NearCache = null });
        Assert.False((await script.ReadAsync("k", "v1")).Near);
        Assert.Null(script.Client.NearCache);
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task Server_without_pipeline_is_used_without_near_cache()
    {
        LogLines log = new();
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = new(
            NearScript.Configured() with { Transport = Transport.Auto },
            CredentialProvider.Local(port: server.Port),
            TimeSpan.FromMinutes(1),
            log,
            TimeProvider.System,
            null);
        Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.Equal(0, client.NearCache!.Kept);
        Assert.Single(log.Lines, static line => line.Contains("near cache is unavailable", StringComparison.Ordinal));
    }
}
