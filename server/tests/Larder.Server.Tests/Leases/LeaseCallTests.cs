using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Leases;
using Larder.Server.Tests.Calls;
using Larder.Store;
using Larder.Wire;
using static Larder.Protocol.GetOrLeaseResponse;

namespace Larder.Server.Tests.Leases;

/// <summary>Tests of the calls on leases, stale values and tags, on a server that stores its items itself and on a gateway.</summary>
public abstract class LeaseCallTests : IAsyncLifetime
{
    private protected RunningServer Server { get; private set; } = null!;

    public async Task InitializeAsync() => Server = await StartAsync();

    public virtual async Task DisposeAsync() => await Server.DisposeAsync();

    [Fact]
    public async Task LEASE_1_and_2_one_caller_gets_lease_and_others_wait_for_its_value()
    {
        Task<GetOrLeaseResponse>[] all = [.. Enumerable.Range(0, 50).Select(_ => AskAsync("k", waitMs: 30_000))];
        GetOrLeaseResponse first = await await Task.WhenAny(all);
        Assert.Equal(OutcomeOneofCase.Lease, first.OutcomeCase);
        Assert.Equal(OutcomeOneofCase.Elsewhere, (await AskAsync("k", waitMs: 0)).OutcomeCase);
        Assert.True(await StoreAsync("k", "v", first.Lease.Token));
        GetOrLeaseResponse[] answers = await Task.WhenAll(all);
        Assert.Equal(49, answers.Count(static each => each.Hit?.Value.ToStringUtf8() == "v"));
        Assert.Equal("v", await GetAsync("k"));
    }

    [Fact]
    public async Task LEASE_2_expired_lease_passes_to_one_waiting_caller()
    {
        ByteString old = (await AskAsync("k", leaseMs: 50)).Lease.Token;
        GetOrLeaseResponse[] next = await Task.WhenAll(Enumerable.Range(0, 5).Select(_ => AskAsync("k", leaseMs: 60_000, waitMs: 500)));
        Assert.Single(next, static each => each.OutcomeCase == OutcomeOneofCase.Lease);
        Assert.Equal(4, next.Count(static each => each.OutcomeCase == OutcomeOneofCase.Elsewhere));
        Assert.False(await StoreAsync("k", "late", old));
        Assert.Null(await GetAsync("k"));
    }

    [Fact]
    public async Task LEASE_5_lease_is_released_only_by_its_own_token()
    {
        ByteString token = (await AskAsync("k")).Lease.Token;
        Task<GetOrLeaseResponse> waiting = AskAsync("k", waitMs: 30_000);
        foreach (ByteString other in (ByteString[])[ByteString.Empty, ByteString.CopyFrom(new byte[16]), ByteString.CopyFrom(new byte[100_000])])
        {
            await ReleaseAsync("k", other);
        }

        Assert.False(waiting.IsCompleted);
        await ReleaseAsync("k", token);
        Assert.Equal(OutcomeOneofCase.Lease, (await waiting).OutcomeCase);
        await ReleaseAsync("k", token);
        Assert.Equal(OutcomeOneofCase.Elsewhere, (await AskAsync("k")).OutcomeCase);
    }

    [Theory]
    [InlineData("Delete")]
    [InlineData("Set")]
    [InlineData("Increment")]
    [InlineData("FlushCache")]
    public async Task LEASE_4_and_6_write_invalidates_lease_and_wakes_waiting_callers(string write)
    {
        ByteString token = (await AskAsync("k", leaseMs: 600_000)).Lease.Token;
        Task<GetOrLeaseResponse> waiting = AskAsync("k", waitMs: 30_000);
        await WriteAsync(write);
        GetOrLeaseResponse answer = await waiting;
        Assert.Equal(write is "Set" or "Increment" ? OutcomeOneofCase.Hit : OutcomeOneofCase.Lease, answer.OutcomeCase);
        string? there = await GetAsync("k");
        Assert.False(await StoreAsync("k", "old", token));
        Assert.Equal(there, await GetAsync("k"));
    }

    [Fact]
    public async Task LEASE_4_lease_token_permits_one_write_to_its_own_key()
    {
        ByteString token = (await AskAsync("k")).Lease.Token;
        Assert.False(await StoreAsync("other", "v", token));
        Assert.True(await StoreAsync("k", "v", token));
        Assert.False(await StoreAsync("k", "again", token));
        Assert.Equal("v", await GetAsync("k"));
    }

    [Fact]
    public async Task LEASE_3_and_7_invalid_lease_request_is_rejected()
    {
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("GetOrLease", Ask("k", leaseMs: 0)));
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("GetOrLease", Ask("k", leaseMs: LeaseLimits.MaxLeaseMs + 1)));
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("GetOrLease", Ask("k", leaseMs: LeaseLimits.MaxLeaseMs * 10)));
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("GetOrLease", Ask("", leaseMs: 1)));
        Assert.Equal(StatusCode.NotFound, await RefusedAsync("GetOrLease", Ask("k"), RunningServer.CacheHeaders("nowhere")));
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("GetOrLease", Ask("k"), RpcHeaders.Empty));
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("k", leaseMs: LeaseLimits.MaxLeaseMs)).OutcomeCase);
        await CallAsync<ListConcatenateBackResponse>(
            "/cache_client.Scs/ListConcatenateBack",
            new ListConcatenateBackRequest { Name = CallHarness.Bytes("list"), Values = { CallHarness.Bytes("a") }, TtlMs = 60_000 });
        Assert.Equal(StatusCode.FailedPrecondition, await RefusedAsync("GetOrLease", Ask("list")));
    }

    [Fact]
    public async Task LEASE_4_lease_does_not_overwrite_a_collection_created_in_the_meantime()
    {
        ByteString token = (await AskAsync("list")).Lease.Token;
        await CallAsync<ListConcatenateBackResponse>(
            "/cache_client.Scs/ListConcatenateBack",
            new ListConcatenateBackRequest { Name = CallHarness.Bytes("list"), Values = { CallHarness.Bytes("a") }, TtlMs = 60_000 });
        Assert.False(await StoreAsync("list", "v", token));
        Assert.Equal(StatusCode.FailedPrecondition, await RefusedAsync("GetOrLease", Ask("list")));
    }

    [Fact]
    public async Task STALE_1_and_2_callers_get_stale_value_and_only_one_gets_lease()
    {
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, ttlMs: 1, staleMs: 60_000));
        await Task.Delay(20);
        Assert.Null(await GetAsync("k"));
        GetOrLeaseResponse first = await AskAsync("k", waitMs: 30_000);
        Assert.Equal(("v", true), (first.Stale.Value.ToStringUtf8(), !first.Stale.Token.IsEmpty));
        Assert.InRange(first.Stale.ExpiredMs, 1ul, 30_000ul);
        GetOrLeaseResponse second = await AskAsync("k", waitMs: 30_000);
        Assert.Equal(("v", true), (second.Stale.Value.ToStringUtf8(), second.Stale.Token.IsEmpty));
        Assert.True(await StoreAsync("k", "new", first.Stale.Token));
        Assert.Equal("new", (await AskAsync("k")).Hit.Value.ToStringUtf8());
    }

    [Fact]
    public async Task STALE_5_stale_response_contains_the_validator()
    {
        foreach (ByteString validator in (ByteString[])[ByteString.CopyFromUtf8("\"v1\""), ByteString.Empty, ByteString.CopyFrom(new byte[1_024])])
        {
            SetWithLeaseRequest request = Store("k", "v", ByteString.Empty, ttlMs: 1, staleMs: 60_000);
            request.Validator = validator;
            await CallAsync<SetWithLeaseResponse>(LeaseService.SetWithLeasePath, request);
            GetOrLeaseResponse answer;
            do
            {
                answer = await AskAsync("k");
            }
            while (answer.OutcomeCase == OutcomeOneofCase.Hit);

            Assert.Equal(("v", validator), (answer.Stale.Value.ToStringUtf8(), answer.Stale.Validator));
            request.Token = answer.Stale.Token;
            Assert.NotNull((await CallAsync<SetWithLeaseResponse>(LeaseService.SetWithLeasePath, request)).Stored);
        }
    }

    [Theory]
    [InlineData(1_025)]
    [InlineData(10_240)]
    public async Task STALE_5_validator_over_its_limit_is_rejected(int bytes)
    {
        SetWithLeaseRequest request = Store("k", "v", ByteString.Empty, staleMs: 60_000);
        request.Validator = ByteString.CopyFrom(new byte[bytes]);
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("SetWithLease", request));
        Assert.Null(await GetAsync("k"));
    }

    [Fact]
    public async Task STALE_3_stale_time_over_maximum_TTL_is_rejected()
    {
        ulong most = (ulong)new ServerOptions().MaxTtl.TotalMilliseconds;
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, staleMs: most));
        foreach (ulong staleMs in (ulong[])[most + 1, most * 10, ulong.MaxValue])
        {
            Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("SetWithLease", Store("other", "v", ByteString.Empty, staleMs: staleMs)));
        }

        Assert.Null(await GetAsync("other"));
    }

    [Fact]
    public async Task TAG_2_and_3_removal_of_tag_invalidates_its_items_and_earlier_leases()
    {
        Assert.True(await StoreAsync("a", "v", ByteString.Empty, tags: ["red", "blue"]));
        Assert.True(await StoreAsync("b", "v", ByteString.Empty, tags: ["blue"]));
        ByteString token = (await AskAsync("c")).Lease.Token;
        await RemoveAsync("red");
        Assert.True(await StoreAsync("c", "old", token, tags: ["red"]));
        Assert.Null(await GetAsync("a"));
        Assert.Equal("v", await GetAsync("b"));
        Assert.Null(await GetAsync("c"));
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("c")).OutcomeCase);
    }

    [Theory]
    [InlineData("Set")]
    [InlineData("Delete")]
    [InlineData("Increment")]
    [InlineData("SetIfAbsent")]
    [InlineData("DictionarySet")]
    public async Task STALE_4_write_removes_stale_value(string write)
    {
        Assert.True(await StoreAsync("k", "old", ByteString.Empty, ttlMs: 1, staleMs: 60_000));
        await Task.Delay(20);
        await WriteAsync(write);
        await CallAsync<DeleteResponse>("/cache_client.Scs/Delete", new DeleteRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("k")).OutcomeCase);
    }

    [Fact]
    public async Task STALE_3_stale_time_begins_at_the_end_of_a_changed_TTL()
    {
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, ttlMs: 60_000, staleMs: 60_000));
        UpdateTtlRequest shorter = new() { Key = CallHarness.Bytes("k"), OverwriteToMs = 1 };
        await CallAsync<UpdateTtlResponse>("/cache_client.Scs/UpdateTtl", shorter);
        await Task.Delay(20);
        GetOrLeaseResponse found = await AskAsync("k");
        Assert.Equal("v", found.Stale?.Value.ToStringUtf8());
        Assert.InRange(found.Stale!.ExpiredMs, 1ul, 30_000ul);
    }

    [Theory]
    [InlineData("Get", false)]
    [InlineData("SetIfAbsent", true)]
    [InlineData("Increment", true)]
    [InlineData("DictionarySet", true)]
    [InlineData("SetIfPresent", false)]
    public async Task TAG_2_call_finds_no_item_whose_tag_was_removed(string call, bool isStored)
    {
        Assert.True(await StoreAsync("k", "5", ByteString.Empty, tags: ["red"]));
        await RemoveAsync("red");
        await WriteAsync(call);
        KeysExistRequest asked = new() { Keys = { CallHarness.Bytes("k") } };
        KeysExistResponse there = await CallAsync<KeysExistResponse>("/cache_client.Scs/KeysExist", asked);
        Assert.Equal(isStored, there.Exists[0]);
        if (call == "Increment")
        {
            Assert.Equal("1", await GetAsync("k"));
        }
    }

    [Fact]
    public async Task TAG_1_item_keeps_its_tags_until_its_value_is_written()
    {
        Assert.True(await StoreAsync("ttl", "v", ByteString.Empty, tags: ["red"]));
        Assert.True(await StoreAsync("condition", "v", ByteString.Empty, tags: ["red"]));
        Assert.True(await StoreAsync("written", "v", ByteString.Empty, tags: ["red"]));
        UpdateTtlRequest longer = new() { Key = CallHarness.Bytes("ttl"), OverwriteToMs = 70_000 };
        await CallAsync<UpdateTtlResponse>("/cache_client.Scs/UpdateTtl", longer);
        await CallAsync<SetIfResponse>("/cache_client.Scs/SetIf", SetIf("condition", "x", new SetIfRequest { Absent = new() }));
        await CallAsync<SetIfResponse>("/cache_client.Scs/SetIf", SetIf("written", "x", new SetIfRequest { Present = new() }));
        await RemoveAsync("red");
        Assert.Null(await GetAsync("ttl"));
        Assert.Null(await GetAsync("condition"));
        Assert.Equal("x", await GetAsync("written"));
    }

    [Fact]
    public async Task TAG_2_stale_value_with_removed_tag_is_not_returned()
    {
        Assert.True(await StoreAsync("k", "v", ByteString.Empty, ttlMs: 1, staleMs: 60_000, tags: ["red"]));
        await Task.Delay(20);
        Assert.Equal("v", (await AskAsync("k", leaseMs: 1)).Stale?.Value.ToStringUtf8());
        await RemoveAsync("red");
        await Task.Delay(20);
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("k")).OutcomeCase);
    }

    [Theory]
    [InlineData(1, 1, true)]
    [InlineData(Cache.MaxTags, LeaseLimits.MaxTagBytes, true)]
    [InlineData(Cache.MaxTags + 1, 1, false)]
    [InlineData(Cache.MaxTags * 10, 1, false)]
    [InlineData(1, LeaseLimits.MaxTagBytes + 1, false)]
    [InlineData(1, LeaseLimits.MaxTagBytes * 10, false)]
    [InlineData(1, 0, false)]
    public async Task TAG_4_number_and_size_of_tags_are_limited(int count, int bytes, bool isGood)
    {
        string[] tags = [.. Enumerable.Range(0, count).Select(i => bytes < 4 ? new string('t', bytes) : $"{i:D4}".PadRight(bytes, 't'))];
        StatusCode expected = isGood ? StatusCode.Ok : StatusCode.InvalidArgument;
        Assert.Equal(expected, await RefusedAsync("SetWithLease", Store("k", "v", ByteString.Empty, tags: tags)));
        Assert.Equal(expected, await RefusedAsync("RemoveByTag", new RemoveByTagRequest { Tags = { tags.Select(CallHarness.Bytes) } }));
    }

    [Fact]
    public async Task TAG_4_removal_requires_a_tag() => Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("RemoveByTag", new RemoveByTagRequest()));

    [Fact]
    public async Task SetWithLease_has_the_same_limits_as_Set()
    {
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("SetWithLease", Store("", "v", ByteString.Empty)));
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("SetWithLease", Store("k", "v", ByteString.Empty, ttlMs: 0)));
        Assert.Equal(StatusCode.InvalidArgument, await RefusedAsync("SetWithLease", Store("k", "v", ByteString.Empty, ttlMs: ulong.MaxValue)));
        int most = new ServerOptions().MaxItemBytes;
        SetWithLeaseRequest large = Store("k", "", ByteString.Empty, tags: [.. Enumerable.Range(0, Cache.MaxTags).Select(static i => $"t{i}")]);
        large.Value = ByteString.CopyFrom(new byte[most - 1]);
        Assert.Equal(StatusCode.Ok, await RefusedAsync("SetWithLease", large));
        large.Value = ByteString.CopyFrom(new byte[most]);
        Assert.Equal(StatusCode.ResourceExhausted, await RefusedAsync("SetWithLease", large));
    }

    [Fact]
    public async Task Waiting_lease_request_ends_at_its_deadline()
    {
        await AskAsync("k", leaseMs: 600_000);
        RpcMethod<IMessage, GetOrLeaseResponse> method = new("/larder.v1.Extras/GetOrLease", new AnyMessageCodec(), new ProtobufCodec<GetOrLeaseResponse>());
        RpcException late = await Assert.ThrowsAsync<RpcException>(async () => await Server.Channel.UnaryAsync(
            method,
            Ask("k", waitMs: 600_000),
            RunningServer.CacheHeaders(),
            TimeSpan.FromMilliseconds(50),
            CancellationToken.None));
        Assert.Equal(StatusCode.DeadlineExceeded, late.Status.Code);
        Assert.Equal(OutcomeOneofCase.Elsewhere, (await AskAsync("k")).OutcomeCase);
    }

    private protected abstract Task<RunningServer> StartAsync();

    private protected static GetOrLeaseRequest Ask(string key, uint leaseMs = 60_000, uint waitMs = 0) =>
        new() { Key = CallHarness.Bytes(key), LeaseMs = leaseMs, WaitMs = waitMs };

    private protected static SetWithLeaseRequest Store(
        string key,
        string value,
        ByteString token,
        ulong ttlMs = 60_000,
        ulong staleMs = 0,
        string[]? tags = null) => new()
        {
            Key = CallHarness.Bytes(key),
            Value = CallHarness.Bytes(value),
            TtlMs = ttlMs,
            StaleMs = staleMs,
            Token = token,
            Tags = { (tags ?? []).Select(CallHarness.Bytes) },
        };

    private static SetIfRequest SetIf(string key, string value, SetIfRequest request)
    {
        request.Key = CallHarness.Bytes(key);
        request.Value = CallHarness.Bytes(value);
        request.TtlMs = 60_000;
        return request;
    }

    private protected Task<GetOrLeaseResponse> AskAsync(string key, uint leaseMs = 60_000, uint waitMs = 0) =>
        CallAsync<GetOrLeaseResponse>("/larder.v1.Extras/GetOrLease", Ask(key, leaseMs, waitMs));

    private protected async Task<bool> StoreAsync(string key, string value, ByteString token, ulong ttlMs = 60_000, ulong staleMs = 0, string[]? tags = null)
    {
        SetWithLeaseRequest request = Store(key, value, token, ttlMs, staleMs, tags);
        SetWithLeaseResponse answer = await CallAsync<SetWithLeaseResponse>("/larder.v1.Extras/SetWithLease", request);
        return answer.OutcomeCase == SetWithLeaseResponse.OutcomeOneofCase.Stored;
    }

    private async Task ReleaseAsync(string key, ByteString token) =>
        await CallAsync<ReleaseLeaseResponse>("/larder.v1.Extras/ReleaseLease", new ReleaseLeaseRequest { Key = CallHarness.Bytes(key), Token = token });

    private protected async Task RemoveAsync(params string[] tags) =>
        await CallAsync<RemoveByTagResponse>("/larder.v1.Extras/RemoveByTag", new RemoveByTagRequest { Tags = { tags.Select(CallHarness.Bytes) } });

    private protected async Task<string?> GetAsync(string key)
    {
        GetResponse answer = await CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes(key) });
        return answer.Result == CacheResult.Hit ? answer.Value.ToStringUtf8() : null;
    }

    private async Task WriteAsync(string rpc)
    {
        ByteString key = CallHarness.Bytes("k");
        Task write = rpc switch
        {
            "Delete" => CallAsync<DeleteResponse>("/cache_client.Scs/Delete", new DeleteRequest { Key = key }),
            "Set" => CallAsync<SetResponse>("/cache_client.Scs/Set", new SetRequest { Key = key, Value = CallHarness.Bytes("set"), TtlMs = 60_000 }),
            "Get" => GetAsync("k"),
            "SetIfAbsent" => CallAsync<SetIfResponse>("/cache_client.Scs/SetIf", SetIf("k", "x", new SetIfRequest { Absent = new() })),
            "SetIfPresent" => CallAsync<SetIfResponse>("/cache_client.Scs/SetIf", SetIf("k", "x", new SetIfRequest { Present = new() })),
            "DictionarySet" => CallAsync<DictionarySetResponse>(
                "/cache_client.Scs/DictionarySet",
                new DictionarySetRequest { Name = key, Items = { new DictionaryItem { Field = key, Value = key } }, TtlMs = 60_000 }),
            "Increment" => CallAsync<IncrementResponse>("/cache_client.Scs/Increment", new IncrementRequest { Key = key, Amount = 1, TtlMs = 60_000 }),
            _ => CallAsync<FlushCacheResponse>("/control_client.ScsControl/FlushCache", new FlushCacheRequest { Name = RunningServer.Cache }),
        };
        await write;
    }

    private protected async Task<StatusCode> RefusedAsync(string rpc, IMessage request, RpcHeaders? headers = null)
    {
        try
        {
            await CallAsync<PingResponse>($"/larder.v1.Extras/{rpc}", request, headers);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private protected async Task<T> CallAsync<T>(string path, IMessage request, RpcHeaders? headers = null)
        where T : class, IMessage<T>, new() => await Server.CallAsync<T>(path, request, headers);
}
