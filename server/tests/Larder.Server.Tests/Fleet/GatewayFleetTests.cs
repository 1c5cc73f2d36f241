using System.Net;
using System.Text.Json;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of several gateways in front of a cluster that starts, stops and stalls.</summary>
public sealed class GatewayFleetTests : IDisposable
{
    private const string Control = "/control_client.ScsControl";

    private readonly RedisServer _redis = new();

    public void Dispose() => _redis.Dispose();

    [Fact]
    public async Task S5j_other_gateway_serves_no_old_values_after_a_flush()
    {
        await using RunningServer first = await RunningGateway.StartAsync(_redis.Url);
        await using RunningServer second = await RunningGateway.StartAsync(_redis.Url);
        for (int round = 0; round < 5; round++)
        {
            await first.SetAsync("k", $"k of round {round}");
            Assert.Equal($"k of round {round}", (await second.GetAsync("k")).Value.ToStringUtf8());
            await first.FlushAsync();
            // The flush waits for the other gateways for at most a second. A gateway that was not scheduled during this second may receive the flush later.
            await Eventually.UntilAsync(async () => (await second.GetAsync("k")).Result == CacheResult.Miss, "the other gateway knows of the flush");
            for (int again = 0; again < 5; again++)
            {
                Assert.Equal(CacheResult.Miss, (await second.GetAsync("k")).Result);
                Assert.Equal(CacheResult.Miss, (await first.GetAsync("k")).Result);
            }
        }
    }

    [Fact]
    public async Task Cache_creation_and_deletion_propagate_to_other_gateways()
    {
        await using RunningServer first = await RunningGateway.StartAsync(_redis.Url);
        await using RunningServer second = await RunningGateway.StartAsync(_redis.Url);
        await first.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = "größe" });
        RpcException exists = await Assert.ThrowsAsync<RpcException>(
            async () => await second.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = "größe" }));
        Assert.Equal(StatusCode.AlreadyExists, exists.Status.Code);
        await Eventually.UntilAsync(async () => (await ListAsync(second)).SequenceEqual(["cache", "größe"]), "the other gateway knows of the new cache");
        await using PipelineClient client = await PipelineClient.OpenAsync(second, RunningServer.CacheHeaders());
        Operation set = PipelineStreamTests.Set(1, "k", "v");
        set.Cache = "größe";
        Assert.Equal(CacheResult.Ok, (await client.AskAsync(set)).Set.Result);
        Assert.Equal(CacheResult.Miss, (await client.AskAsync(PipelineStreamTests.Get(2, "k"))).Get.Result);
        await first.CallAsync<DeleteCacheResponse>($"{Control}/DeleteCache", new DeleteCacheRequest { Name = "größe" });
        await Eventually.UntilAsync(async () => (await ListAsync(second)).SequenceEqual(["cache"]), "the other gateway knows that it is gone");
        Operation get = PipelineStreamTests.Get(3, "k");
        get.Cache = "größe";
        Assert.Equal((uint)StatusCode.NotFound, (await client.AskAsync(get)).Status.Code);
        RpcException gone = await Assert.ThrowsAsync<RpcException>(() => second.FlushAsync("größe"));
        Assert.Equal(StatusCode.NotFound, gone.Status.Code);
    }

    [Fact]
    public async Task CTRL_11_gateway_rejects_cache_with_a_quota()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        RpcException refused = await Assert.ThrowsAsync<RpcException>(
            async () => await gateway.CallAsync<CreateCacheResponse>(
                $"{Control}/CreateCache",
                new CreateCacheRequest { Name = "limited", MaxBytes = 1 << 30 }));
        Assert.Equal(StatusCode.Unimplemented, refused.Status.Code);
        Assert.Equal(["cache"], await ListAsync(gateway));
    }

    [Fact]
    public async Task Metrics_count_bytes_of_pipelined_calls()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway, RunningServer.CacheHeaders());
        Assert.Equal(CacheResult.Ok, (await client.AskAsync(PipelineStreamTests.Set(1, "k", new string('v', 50_000)))).Set.Result);
        Assert.Equal(CacheResult.Hit, (await client.AskAsync(PipelineStreamTests.Get(2, "k"))).Get.Result);
        using HttpClient http = new();
        string metrics = await http.GetStringAsync(new Uri(gateway.Server.ConsoleEndpoint, "/metrics"));
        Assert.Matches("larder_rpc_received_bytes_total\\{rpc=\"Set\",transport=\"pipeline\"\\} 500[0-9][0-9]\n", metrics);
        Assert.Matches("larder_rpc_sent_bytes_total\\{rpc=\"Get\",transport=\"pipeline\"\\} 500[0-9][0-9]\n", metrics);
    }

    [Fact]
    public async Task Sweep_removes_flushed_items_and_keeps_other_caches()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = "other" });
        await gateway.SetAsync("kept", "v", cache: "other");
        for (int number = 0; number < 100; number++)
        {
            await gateway.SetAsync($"k{number}", "v");
        }

        Assert.Equal(101, CountItems());
        await gateway.FlushAsync();
        Eventually.Until(() => CountItems() == 1, "the old generation is swept");
        Assert.Equal(CacheResult.Hit, (await gateway.GetAsync("kept", "other")).Result);
        Eventually.Until(() => !_redis.Ask("hkeys", "L:{larder}:caches").Contains("s:", StringComparison.Ordinal), "the sweep is noted as done");
    }

    [Fact]
    public async Task Gateway_serves_calls_immediately_after_start()
    {
        await using RunningServer gateway = await RunningServer.StartAsync(options => options with { Store = _redis.Url });
        await gateway.SetAsync("k", "v");
        Assert.Equal("v", (await gateway.GetAsync("k")).Value.ToStringUtf8());
    }

    [Fact]
    public async Task Gateway_starts_without_its_cluster_and_connects_when_cluster_runs()
    {
        _redis.Kill();
        await using RunningServer gateway = await RunningServer.StartAsync(options => options with { Store = _redis.Url });
        RpcException error = await gateway.FailAsync("Get", new GetRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(StatusCode.Unavailable, error.Status.Code);
        Assert.Contains(new KeyValuePair<string, string>("err", "not_executed"), error.Trailers);
        using HttpClient http = new() { BaseAddress = gateway.Server.ConsoleEndpoint };
        Assert.Equal(HttpStatusCode.ServiceUnavailable, (await http.GetAsync("/health")).StatusCode);
        _redis.Restart();
        await RunningGateway.WaitUntilReadyAsync(gateway);
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync("/health")).StatusCode);
        Assert.Contains($"\"name\":\"{_redis.Endpoint}\"", await http.GetStringAsync("/stats"), StringComparison.Ordinal);
        Assert.Contains("larder_fleet_ready 1", await http.GetStringAsync("/metrics"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Store_password_does_not_appear_in_startup_line_or_errors()
    {
        using RedisServer locked = new("--requirepass", "sesame");
        await using RunningServer gateway = await RunningGateway.StartAsync($"redis://:sesame@{locked.Endpoint}");
        Assert.Contains(" store=redis ", gateway.Server.StartLine, StringComparison.Ordinal);
        Assert.DoesNotContain("sesame", gateway.Server.StartLine, StringComparison.Ordinal);
        ServerOptionsException refused = Assert.Throws<ServerOptionsException>(() => new ServerOptions { Store = "redis://:sesame@" }.Validate());
        Assert.DoesNotContain("sesame", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_closed_with_pending_calls_does_not_affect_later_calls()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.SetAsync("k", "v");
        for (int round = 0; round < 3; round++)
        {
            PipelineClient client = await PipelineClient.OpenAsync(gateway);
            _redis.Pause();
            await client.SendAsync(Enumerable.Range(1, 200).Select(id => PipelineStreamTests.Get((uint)id, "k")));
            await client.DisposeAsync();
            _redis.Resume();
            await RunningGateway.WaitUntilReadyAsync(gateway);
            Assert.Equal("v", (await gateway.GetAsync("k")).Value.ToStringUtf8());
        }
    }

    [Fact]
    public async Task Half_closed_stream_receives_all_responses()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway);
        await client.SendAsync(Enumerable.Range(0, 2_000).Select(id => PipelineStreamTests.Set((uint)id, $"k{id}", "v")));
        client.CompleteWriting();
        await client.ReadResultsAsync(2_000);
        Assert.Null(await client.ReadAsync());
    }

    [Fact]
    public async Task Slow_reader_receives_each_response_once()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway);
        await client.AskAsync(PipelineStreamTests.Set(1, "k", new string('v', 10_000)));
        const int Messages = 20;
        const int PerMessage = 200;
        Task sending = Task.Run(async () =>
        {
            for (int message = 0; message < Messages; message++)
            {
                await client.SendAsync(Enumerable.Range(message * PerMessage, PerMessage).Select(id => PipelineStreamTests.Get((uint)id, "k")));
            }
        });
        // The responses have a total size of 40 MB, which is more buffer memory than a connection may use. Without a limit on pending responses, some responses
        // would be rejected.
        await Eventually.UntilAsync(async () => await BuffersAsync(gateway) > 1 << 20, "answers wait for the client");
        Dictionary<uint, Result> results = await client.ReadResultsAsync(Messages * PerMessage);
        await sending;
        Assert.All(results.Values, result => Assert.Equal(10_000, result.Get.Value.Length));
    }

    [Fact]
    public async Task Injected_delay_affects_only_the_named_RPCs()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url, options => options with { FaultInjection = true });
        RpcHeaders headers = RunningServer.CacheHeaders().With("delay-rpcs", "get").With("delay-ms", "300")
            .With("return-error", "unavailable").With("error-rpcs", "delete");
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway, headers);
        await client.AskAsync(PipelineStreamTests.Set(1, "k", "v"));
        await client.SendAsync(
            PipelineStreamTests.Get(2, "k"),
            PipelineStreamTests.Set(3, "other", "v"),
            new Operation { Id = 4, Delete = new DeleteRequest { Key = CallHarness.Bytes("k") } });
        Dictionary<uint, Result> quick = await client.ReadResultsAsync(2);
        Assert.Equal([3u, 4u], quick.Keys.Order());
        Assert.Equal((uint)StatusCode.Unavailable, quick[4].Status.Code);
        Assert.Equal("v", (await client.ReadResultsAsync(1))[2].Get.Value.ToStringUtf8());
    }

    private static async Task<IEnumerable<string>> ListAsync(RunningServer gateway)
    {
        ListCachesResponse list = await gateway.CallAsync<ListCachesResponse>($"{Control}/ListCaches", new ListCachesRequest());
        return list.Caches.Select(cache => cache.Name);
    }

    private static async Task<long> BuffersAsync(RunningServer gateway)
    {
        using HttpClient http = new() { BaseAddress = gateway.Server.ConsoleEndpoint };
        using JsonDocument stats = JsonDocument.Parse(await http.GetStringAsync("/stats"));
        return stats.RootElement.GetProperty("buffers").GetProperty("usedBytes").GetInt64();
    }

    private int CountItems() => _redis.Ask("keys", "L*.*:*").Split('\n', StringSplitOptions.RemoveEmptyEntries).Length;
}
