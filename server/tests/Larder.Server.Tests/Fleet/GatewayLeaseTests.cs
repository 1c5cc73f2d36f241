using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Leases;
using Larder.Server.Tests.Near;
using Larder.Wire;
using static Larder.Protocol.GetOrLeaseResponse;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of leases, stale values and tags on a gateway to a real redis-server (FLEET-19).</summary>
public sealed class GatewayLeaseTests : LeaseCallTests, IDisposable
{
    private readonly RedisServer _redis = new();
    private RunningServer? _second;

    public void Dispose() => _redis.Dispose();

    public override async Task DisposeAsync()
    {
        if (_second is not null)
        {
            await _second.DisposeAsync();
        }

        await base.DisposeAsync();
    }

    [Fact]
    public async Task FLEET_19_plain_write_through_another_gateway_ends_lease_and_removes_stale_value()
    {
        _second = await RunningGateway.StartAsync(_redis.Url);
        Assert.True(await StoreAsync("stale", "old", ByteString.Empty, ttlMs: 1, staleMs: 60_000));
        ByteString token = (await AskAsync("k")).Lease.Token;
        await _second.SetAsync("k", "new");
        await _second.SetAsync("stale", "new", ttlMs: 1);
        Assert.False(await StoreAsync("k", "old", token));
        await Task.Delay(20);
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("stale")).OutcomeCase);
    }

    [Fact]
    public async Task FLEET_19_tag_removed_through_one_gateway_is_removed_on_all()
    {
        _second = await RunningGateway.StartAsync(_redis.Url);
        for (int round = 0; round < 20; round++)
        {
            Assert.True(await StoreAsync("k", "v", ByteString.Empty, tags: ["red"]));
            Assert.Equal(CacheResult.Hit, (await _second.GetAsync("k")).Result);
            await RemoveAsync("red");
            Assert.Equal(CacheResult.Miss, (await _second.GetAsync("k")).Result);
        }
    }

    [Fact]
    public async Task FLEET_19_removal_of_a_tag_clears_near_copies_at_all_gateways()
    {
        _second = await RunningGateway.StartAsync(_redis.Url);
        await StoreAsync("k", "v", ByteString.Empty, tags: ["red"]);
        await using NearClient client = await _second.OpenNearAsync();
        for (int round = 1; round <= 5; round++)
        {
            await StoreAsync("k", $"{round}", ByteString.Empty, tags: ["red"]);
            await client.SettleAsync();
            Result copy = await client.GetAsync("k");
            Assert.Equal($"{round}", copy.Get.Value.ToStringUtf8());
            Assert.NotEqual(0u, copy.Ticket);
            await RemoveAsync("red");
            await client.SettleAsync();
            Assert.Equal(round, client.Clears);
            Assert.Equal(CacheResult.Miss, (await client.GetAsync("k")).Get.Result);
        }
    }

    [Theory]
    [InlineData("{tag}k")]
    [InlineData("a}b{c")]
    [InlineData("{}")]
    [InlineData("}{")]
    [InlineData("\0\r\n")]
    public async Task FLEET_19_key_with_any_bytes_has_lease_stale_value_and_tags(string key)
    {
        ByteString token = (await AskAsync(key)).Lease.Token;
        Assert.True(await StoreAsync(key, "v", token, ttlMs: 1, staleMs: 60_000, tags: ["red"]));
        await Task.Delay(20);
        Assert.Equal("v", (await AskAsync(key, leaseMs: 1)).Stale?.Value.ToStringUtf8());
        await RemoveAsync("red");
        await Task.Delay(20);
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync(key)).OutcomeCase);
    }

    [Fact]
    public async Task FLEET_19_cache_without_leases_stores_only_its_items()
    {
        await Server.SetAsync("k", "v");
        Assert.Equal("1", _redis.Ask("eval", "return #redis.call('KEYS', 'L1.*')", "0"));
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, staleMs: 60_000, tags: ["red"]));
        await RemoveAsync("blue");
        await AskAsync("other");
        Assert.Equal("5", _redis.Ask("eval", "return #redis.call('KEYS', 'L1.*')", "0"));
        await Server.SetAsync("k", "v");
        Assert.Equal("4", _redis.Ask("eval", "return #redis.call('KEYS', 'L1.*')", "0"));
    }

    [Fact]
    public async Task FLEET_19_flush_removes_leases_and_tags()
    {
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, staleMs: 60_000, tags: ["red"]));
        await RemoveAsync("blue");
        await AskAsync("other");
        await Server.FlushAsync();
        Eventually.Until(() => _redis.Ask("eval", "return #redis.call('KEYS', 'L1.*')", "0") == "0", "the old generation is swept");
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("k")).OutcomeCase);
    }

    [Fact]
    public async Task FLEET_19_items_with_tags_are_misses_if_the_removed_tags_are_lost()
    {
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, tags: ["red"]));
        Assert.True(await StoreAsync("plain", "v", ByteString.Empty));
        _redis.Ask("eval", "for _, key in ipairs(redis.call('KEYS', 'L1.*;[nr]*')) do redis.call('DEL', key) end", "0");
        Assert.Null(await GetAsync("k"));
        Assert.Equal("v", await GetAsync("plain"));
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, tags: ["red"]));
        Assert.Equal("v", await GetAsync("k"));
    }

    [Fact]
    public async Task FLEET_19_item_is_a_miss_if_its_tags_were_evicted()
    {
        Assert.True(await StoreAsync("tagged", "v", ByteString.Empty, tags: ["red"]));
        Assert.True(await StoreAsync("leased", "v", ByteString.Empty, tags: ["red"]));
        Assert.True(await StoreAsync("ttl", "v", ByteString.Empty, tags: ["red"]));
        UpdateTtlRequest longer = new() { Key = CallHarness.Bytes("ttl"), OverwriteToMs = 70_001 };
        await Server.CallAsync<UpdateTtlResponse>("/cache_client.Scs/UpdateTtl", longer);
        Assert.True(await StoreAsync("counter", "5", ByteString.Empty, tags: ["red"]));
        IncrementRequest increment = new() { Key = CallHarness.Bytes("counter"), Amount = 1, TtlMs = 60_001, KeepTtl = true };
        await Server.CallAsync<IncrementResponse>("/cache_client.Scs/Increment", increment);
        for (int number = 0; number < 20; number++)
        {
            await Server.SetAsync($"plain {number}", "v", ttlMs: 60_000 + (ulong)number);
        }

        _redis.Ask("eval", "for _, key in ipairs(redis.call('KEYS', 'L1.*;t*')) do redis.call('DEL', key) end", "0");
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("leased")).OutcomeCase);
        Assert.Null(await GetAsync("tagged"));
        Assert.Null(await GetAsync("ttl"));
        Assert.Equal("6", await GetAsync("counter"));
        for (int number = 0; number < 20; number++)
        {
            Assert.Equal("v", await GetAsync($"plain {number}"));
        }
    }

    [Fact]
    public async Task FLEET_19_removal_after_a_failover_invalidates_items_with_a_lost_number()
    {
        Assert.True(await StoreAsync("any", "v", ByteString.Empty, tags: ["other"]));
        await RemoveAsync("other");
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, tags: ["red"]));
        _redis.Ask("eval", "for _, key in ipairs(redis.call('KEYS', 'L1.*;n*')) do redis.call('HSET', key, 'n', redis.call('HGET', key, 'f')) end", "0");
        await RemoveAsync("red");
        Assert.Null(await GetAsync("k"));
    }

    [Fact]
    public async Task FLEET_19_full_node_rejects_values_and_leases_and_returns_stale_values()
    {
        Assert.True(await StoreAsync("stale", "old", ByteString.Empty, ttlMs: 1, staleMs: 60_000));
        await Server.SetAsync("number", "1");
        await Task.Delay(20);
        _redis.Ask("config", "set", "maxmemory-policy", "noeviction", "maxmemory", "1");
        Assert.Equal(StatusCode.ResourceExhausted, await RefusedAsync("SetWithLease", Store("k", "v", ByteString.Empty, tags: ["red"])));
        Assert.Equal(StatusCode.ResourceExhausted, await RefusedAsync("GetOrLease", Ask("k")));
        GetOrLeaseResponse found = await AskAsync("stale");
        Assert.Equal(("old", true), (found.Stale?.Value.ToStringUtf8(), found.Stale?.Token.IsEmpty));
        Assert.Equal("1", await GetAsync("number"));
    }

    [Fact]
    public async Task LEASE_4_value_is_not_stored_after_a_delete_and_a_removal_of_its_tag()
    {
        ByteString token = (await AskAsync("k")).Lease.Token;
        await Server.CallAsync<DeleteResponse>("/cache_client.Scs/Delete", new DeleteRequest { Key = CallHarness.Bytes("k") });
        await RemoveAsync("red");
        Assert.False(await StoreAsync("k", "v", token, tags: ["red"]));
    }

    [Fact]
    public async Task FLEET_19_use_of_leases_survives_a_lost_directory()
    {
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, tags: ["red"]));
        Assert.Contains(".2.", _redis.Ask("hget", "L:{larder}:caches", "c:cache"), StringComparison.Ordinal);
        _redis.Ask("del", "L:{larder}:caches");
        Eventually.Until(() => _redis.Ask("hget", "L:{larder}:caches", "c:cache").Contains(".2.", StringComparison.Ordinal), "the directory is restored");
        await RemoveAsync("red");
        Assert.Null(await GetAsync("k"));
    }

    [Fact]
    public async Task FLEET_19_forged_tokens_are_rejected()
    {
        ByteString token = (await AskAsync("k")).Lease.Token;
        byte[] changed = token.ToByteArray();
        changed[^1] ^= 1;
        ByteString[] wrong = [ByteString.CopyFrom(changed), ByteString.CopyFrom(token.Span[..16]), ByteString.CopyFrom(new byte[100_000])];
        foreach (ByteString forged in wrong)
        {
            Assert.False(await StoreAsync("k", "v", forged));
        }

        Assert.True(await StoreAsync("k", "v", token));
    }

    [Fact]
    public async Task FLEET_19_a_thousand_first_callers_get_one_lease()
    {
        GetOrLeaseResponse[] answers = await Task.WhenAll(Enumerable.Range(0, 1_000).Select(_ => AskAsync("k")));
        Assert.Single(answers, static each => each.OutcomeCase == OutcomeOneofCase.Lease);
        Assert.Equal(999, answers.Count(static each => each.OutcomeCase == OutcomeOneofCase.Elsewhere));
    }

    [Fact]
    public async Task FLEET_19_lease_call_fails_while_the_node_is_down()
    {
        await AskAsync("k");
        _redis.Kill();
        RpcMethod<IMessage, GetOrLeaseResponse> method = new("/larder.v1.Extras/GetOrLease", new AnyMessageCodec(), new ProtobufCodec<GetOrLeaseResponse>());
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await Server.Channel.UnaryAsync(
            method,
            Ask("k"),
            RunningServer.CacheHeaders(),
            TimeSpan.FromMilliseconds(300),
            CancellationToken.None));
        Assert.Contains(error.Status.Code, (StatusCode[])[StatusCode.Unavailable, StatusCode.DeadlineExceeded]);
    }

    private protected override Task<RunningServer> StartAsync() => RunningGateway.StartAsync(_redis.Url);
}
