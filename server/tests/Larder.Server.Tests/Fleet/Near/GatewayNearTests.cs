using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Near;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Near;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>Tests of the responses and notifications of a gateway's near stream (NEAR-1 to NEAR-8, NEAR-40 and NEAR-41).</summary>
public sealed class GatewayNearTests : IAsyncLifetime, IDisposable
{
    private const int MaxStreams = 50;
    private const string Control = "/control_client.ScsControl";

    private readonly RedisServer _redis = new();
    private RunningServer _gateway = null!;

    public async Task InitializeAsync() => _gateway = await RunningGateway.StartAsync(_redis.Url);

    public async Task DisposeAsync()
    {
        await _gateway.DisposeAsync();
    }

    public void Dispose() => _redis.Dispose();

    [Fact]
    public async Task NEAR_1_stream_over_the_limit_is_rejected_until_another_closes()
    {
        Assert.Equal(0, _redis.TrackedConnections());
        await using RunningServer wide = await RunningGateway.StartAsync(_redis.Url, static options => options with { MaxNearStreams = MaxStreams });
        List<NearClient> clients = [];
        for (int stream = 0; stream < MaxStreams; stream++)
        {
            clients.Add(await NearClient.OpenAsync(wide));
        }

        await using NearClient late = await NearClient.OpenPlainAsync(wide);
        Assert.Equal((uint)StatusCode.ResourceExhausted, (await late.OpenNearAsync()).Status.Code);
        await clients[^1].SettleAsync();
        await late.AskAsync(NearClient.Set("k", "v"));
        Assert.Equal(0u, (await late.GetAsync("k")).Ticket);
        Assert.NotEqual(0u, (await clients[^1].GetAsync("k")).Ticket);
        // All clients wait concurrently, so that one attempt of the barrier serves many of them.
        await Task.WhenAll(clients.Select(static client => client.SettleAsync()));
        foreach (NearClient client in clients)
        {
            await client.DisposeAsync();
        }

        Eventually.Until(() => _redis.TrackedConnections() == 0, "nothing is tracked any more");
        Assert.Equal(3_000u, (await late.OpenNearAsync()).NearOpen.LeaseMs);
        await late.SettleAsync();
        Assert.NotEqual(0u, (await late.GetAsync("k")).Ticket);
    }

    [Fact]
    public Task NEAR_2_hit_has_ticket_and_remaining_TTL() => NearChecks.HasTicketAsync(_gateway);

    [Fact]
    public async Task NEAR_2_uncacheable_response_has_no_ticket()
    {
        await NearChecks.HasNoTicketAsync(_gateway);

        // Another client has removed the TTL of the item.
        await using NearClient client = await _gateway.OpenNearAsync();
        _redis.Ask("persist", _redis.StoredName("at"));
        Assert.Equal(0u, (await client.GetAsync("at")).Ticket);
    }

    [Fact]
    public async Task NEAR_2_get_delayed_by_fault_injection_has_no_ticket()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url, static options => options with { FaultInjection = true });
        await using NearClient client = await NearClient.OpenAsync(gateway, RunningServer.CacheHeaders().With("delay-rpcs", "get").With("delay-ms", "1"));
        await client.SettleAsync();
        await client.AskAsync(NearClient.Set("k", "v"));
        Result held = await client.GetAsync("k");
        Assert.Equal(("v", 0u), (held.Get.Value.ToStringUtf8(), held.Ticket));
    }

    [Fact]
    public async Task NEAR_41_write_at_any_gateway_or_node_sends_one_notification()
    {
        await using RunningServer other = await RunningGateway.StartAsync(_redis.Url);
        await using NearClient reader = await _gateway.OpenNearAsync();
        await _gateway.SetAsync("k", "0");
        string stored = _redis.StoredName("k");
        Func<string, Task>[] ways =
        [
            value => _gateway.SetAsync("k", value),
            value => other.SetAsync("k", value),
            value => _redis.AskAsync("set", stored, value, "px", "60000"),
        ];
        uint ticket = (await reader.GetAsync("k")).Ticket - 1;
        for (int round = 1; round <= 9; round++)
        {
            await ways[round % ways.Length]($"{round} before");
            await ways[round % ways.Length]($"{round}");
            int told = round;
            await reader.UntilInvalidatedAsync(client => client.Told.Count >= told);
            await reader.SettleAsync();
            Assert.Equal(Enumerable.Repeat(ticket, round), reader.Told);
            Assert.Equal($"{round}", (await reader.GetAsync("k")).Get.Value.ToStringUtf8());
        }

        Assert.Equal(0, reader.Clears);
    }

    [Fact]
    public async Task NEAR_41_write_notifies_every_stream_that_read_the_key()
    {
        await _gateway.SetAsync("k", "v");
        NearClient[] clients = new NearClient[8];
        for (int index = 0; index < clients.Length; index++)
        {
            // Each client has its own connection to the gateway. The reactor threads serve the connections in turn.
            clients[index] = await _gateway.OpenNearAsync();
            Assert.NotEqual(0u, (await clients[index].GetAsync("k")).Ticket);
        }

        await _gateway.SetAsync("k", "w");
        foreach (NearClient client in clients)
        {
            await client.UntilInvalidatedAsync(static each => each.Told.Count == 1);
            await client.DisposeAsync();
        }
    }

    [Fact]
    public async Task NEAR_41_expiry_of_a_key_notifies_its_readers()
    {
        await using NearClient client = await _gateway.OpenNearAsync();
        await client.AskAsync(NearClient.Set("k", "v", ttlMs: 300));
        uint ticket = (await client.GetAsync("k")).Ticket;
        await client.UntilInvalidatedAsync(each => each.Told.Contains(ticket - 1));
        Assert.Equal(CacheResult.Miss, (await client.GetAsync("k")).Get.Result);
    }

    [Theory]
    [InlineData("FLUSHALL")]
    [InlineData("FLUSHDB")]
    public async Task NEAR_41_flush_of_a_node_clears_near_copies(string flush)
    {
        await using NearClient client = await _gateway.OpenNearAsync();
        await client.AskAsync(NearClient.Set("k", "v"));
        await client.GetAsync("k");
        _redis.Ask(flush);
        await client.UntilInvalidatedAsync(static each => each.Clears > 0);
    }

    [Fact]
    public async Task NEAR_5_remote_flush_and_cache_deletion_send_clear_to_reading_streams()
    {
        await using RunningServer other = await RunningGateway.StartAsync(_redis.Url);
        await other.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = "second" });
        await using NearClient client = await _gateway.OpenNearAsync();
        await other.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = "third" });
        await client.SettleAsync();
        Assert.Equal(0, client.Clears);
        for (int round = 1; round <= 3; round++)
        {
            // The client has read nothing from the second cache, so it is not notified when the second cache is flushed.
            await client.GetAsync("k");
            await other.FlushAsync("second");
            await client.SettleAsync();
            Assert.Equal(round - 1, client.Clears);
            await other.FlushAsync(RunningServer.Cache);
            await client.SettleAsync();
            Assert.Equal(round, client.Clears);
        }

        Operation get = NearClient.Get(900_000, "k");
        get.Cache = "second";
        await client.AskAsync(get);
        await other.CallAsync<DeleteCacheResponse>($"{Control}/DeleteCache", new DeleteCacheRequest { Name = "second" });
        await client.SettleAsync();
        Assert.Equal(4, client.Clears);
    }

    [Fact]
    public async Task NEAR_5_too_many_pending_notifications_become_one_clear()
    {
        await using RunningServer other = await RunningGateway.StartAsync(_redis.Url);
        await using NearClient client = await _gateway.OpenNearAsync();
        string[] keys = [.. Enumerable.Range(0, 100_000).Select(static number => $"k{number}")];
        await other.SetManyAsync(keys, "1");
        await other.SetAsync("large", new string('x', 10_000));
        Assert.Equal(keys.Length, (await client.GetManyAsync(keys)).Count);
        // The responses exceed the client's window, so later notifications wait in the gateway.
        await client.SendAsync(Enumerable.Range(0, 1_000).Select(static id => PipelineStreamTests.Get((uint)id, "large")));
        await other.SetManyAsync(keys, "2");
        await client.ReadResultsAsync(1_000);
        await client.SettleAsync();
        Assert.True(client.Clears > 0);
        Assert.InRange(client.Told.Count, 0, NearQueue.MaxTickets);
    }

    [Fact]
    public async Task NEAR_7_renew_on_a_plain_stream_fails()
    {
        await using NearClient client = await NearClient.OpenPlainAsync(_gateway);
        Assert.Equal((uint)StatusCode.FailedPrecondition, (await client.RenewAsync()).Status.Code);
    }

    [Fact]
    public async Task NEAR_7_notifications_of_earlier_writes_precede_the_renew_response()
    {
        await using RunningServer other = await RunningGateway.StartAsync(_redis.Url);
        await using NearClient reader = await _gateway.OpenNearAsync();
        string[] keys = [.. Enumerable.Range(0, 500).Select(static number => $"k{number}")];
        for (int round = 0; round < 10; round++)
        {
            await other.SetManyAsync(keys, $"{round}");
            await reader.SettleAsync();
            reader.Told.Clear();
            Dictionary<string, uint> tickets = await reader.GetManyAsync(keys);
            await other.SetManyAsync(keys, $"{round} again");
            await reader.SettleAsync();
            // Keys with the same ticket cause only one notification.
            Assert.Equal(tickets.Values.Distinct().Order(), reader.Told.Order());
        }
    }

    [Fact]
    public async Task NEAR_8_closing_stream_with_pending_notifications_does_not_affect_other_streams()
    {
        await using RunningServer other = await RunningGateway.StartAsync(_redis.Url);
        string[] keys = [.. Enumerable.Range(0, 1_000).Select(static number => $"k{number}")];
        await other.SetManyAsync(keys, "1");
        await using NearClient stays = await _gateway.OpenNearAsync();
        for (int round = 0; round < 10; round++)
        {
            NearClient leaves = await _gateway.OpenNearAsync();
            await leaves.GetManyAsync(keys);
            Task writing = other.SetManyAsync(keys, "2");
            await leaves.SendAsync(Enumerable.Range(0, 3).Select(static id => new Operation { Id = (uint)id, NearRenew = new NearRenew() }));
            await leaves.DisposeAsync();
            await writing;
        }

        await stays.SettleAsync();
        Assert.Equal("2", (await stays.GetAsync("k1")).Get.Value.ToStringUtf8());
        Assert.Empty(stays.Told);
    }

    [Fact]
    public async Task Flood_of_renewals_completes_without_blocking_other_streams()
    {
        await using NearClient greedy = await _gateway.OpenNearAsync();
        await using NearClient other = await _gateway.OpenNearAsync();
        Task<Dictionary<uint, Result>> reading = greedy.ReadResultsAsync(100_000);
        await greedy.SendAsync(Enumerable.Range(0, 100_000).Select(static id => new Operation { Id = (uint)id, NearRenew = new NearRenew() }));
        await other.SettleAsync();
        Dictionary<uint, Result> results = await reading;
        Assert.All(
            results.Values,
            static result => Assert.True(result.OutcomeCase == Result.OutcomeOneofCase.NearRenew || result.Status.Code == (uint)StatusCode.Unavailable));
        Assert.Equal(Result.OutcomeOneofCase.NearRenew, results[99_999].OutcomeCase);
    }
}
