using System.Text.Json.Nodes;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Console;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Near;

/// <summary>Tests of the responses and notifications of a near stream (NEAR-1 to NEAR-8).</summary>
public sealed class NearStreamTests
{
    private const int MaxStreams = 8;

    [Fact]
    public async Task NEAR_1_repeated_open_returns_lease_and_counts_as_one_stream()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient client = await NearClient.OpenAsync(server);
        Assert.Equal(3_000u, (await client.OpenNearAsync()).NearOpen.LeaseMs);
        Assert.Equal("1 0 0 0 0", await FiguresAsync(server));
    }

    [Fact]
    public async Task NEAR_1_stream_over_the_limit_stays_a_plain_stream()
    {
        await using RunningServer server = await RunningServer.StartAsync(
            static options => options with { MaxNearStreams = MaxStreams });
        List<NearClient> clients = [];
        for (int i = 0; i < MaxStreams; i++)
        {
            clients.Add(await NearClient.OpenAsync(server));
        }

        await using NearClient late = await NearClient.OpenPlainAsync(server);
        CallStatus refusal = (await late.OpenNearAsync()).Status;
        Assert.Equal((uint)StatusCode.ResourceExhausted, refusal.Code);
        Assert.Equal("near_streams_limit_exceeded", refusal.Cause);
        await late.AskAsync(NearClient.Set("k", "v"));
        Assert.Equal(0u, (await late.GetAsync("k")).Ticket);

        uint ticket = (await clients[^1].GetAsync("k")).Ticket;
        await late.AskAsync(NearClient.Set("k", "w"));
        await clients[^1].UntilInvalidatedAsync(client => client.Told.Contains(ticket - 1));
        foreach (NearClient client in clients)
        {
            await client.DisposeAsync();
        }

        await Until.TrueAsync(async () => (await FiguresAsync(server)).StartsWith("0 ", StringComparison.Ordinal), "they have left");
        Assert.Equal(3_000u, (await late.OpenNearAsync()).NearOpen.LeaseMs);
    }

    [Fact]
    public async Task NEAR_1_token_with_most_near_streams_loses_one_to_another_token()
    {
        using TokensOnDisk tokens = new(
            TokensOnDisk.Entry("greedy", "readwrite", RunningServer.Cache, secrets: "greedy"),
            TokensOnDisk.Entry("neighbour", "readwrite", RunningServer.Cache, secrets: "neighbour"));
        await using RunningServer server = await RunningServer.StartAsync(
            options => options with { TokensPath = tokens.Path, MaxNearStreams = MaxStreams });
        List<NearClient> greedy = [];
        for (int i = 0; i < MaxStreams; i++)
        {
            greedy.Add(await NearClient.OpenAsync(server, HeadersOf("greedy")));
        }

        NearClient newest = greedy[^1];
        await newest.AskAsync(NearClient.Set("k", "v"));
        Assert.NotEqual(0u, (await newest.GetAsync("k")).Ticket);
        await using NearClient neighbour = await NearClient.OpenAsync(server, HeadersOf("neighbour"));
        uint ticket = (await neighbour.GetAsync("k")).Ticket;
        Assert.NotEqual(0u, ticket);
        Assert.NotNull((await neighbour.RenewAsync()).NearRenew);

        // The newest stream of the token with the most streams is now a plain stream, and still serves calls.
        await newest.UntilInvalidatedAsync(static client => client.Clears == 1);
        Assert.Equal((uint)StatusCode.FailedPrecondition, (await newest.RenewAsync()).Status.Code);
        Result get = await newest.GetAsync("k");
        Assert.Equal(("v", 0u), (get.Get.Value.ToStringUtf8(), get.Ticket));
        Assert.Equal((uint)StatusCode.ResourceExhausted, (await newest.OpenNearAsync()).Status.Code);
        Assert.NotNull((await greedy[0].RenewAsync()).NearRenew);
        await newest.AskAsync(NearClient.Set("k", "w"));
        await neighbour.UntilInvalidatedAsync(client => client.Told.Contains(ticket - 1));
        foreach (NearClient client in greedy)
        {
            await client.DisposeAsync();
        }
    }

    [Fact]
    public async Task NEAR_2_hit_has_ticket_and_remaining_TTL()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await NearChecks.HasTicketAsync(server);
    }

    [Fact]
    public async Task NEAR_2_uncacheable_response_has_no_ticket()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await NearChecks.HasNoTicketAsync(server);
    }

    [Fact]
    public async Task NEAR_3_write_by_another_client_notifies_the_reader_once()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient reader = await NearClient.OpenAsync(server);
        await using NearClient writer = await NearClient.OpenPlainAsync(server);
        await writer.AskAsync(NearClient.Set("k", "1"));
        await writer.AskAsync(NearClient.Set("other", "1"));
        uint ticket = (await reader.GetAsync("k")).Ticket - 1;
        await writer.AskAsync(NearClient.Set("k", "2"));
        await writer.AskAsync(NearClient.Set("k", "3"));
        await reader.UntilInvalidatedAsync(static client => client.Told.Count > 0);
        await reader.SettleAsync();
        Assert.Equal([ticket], reader.Told);
        Assert.Equal("3", (await reader.GetAsync("k")).Get.Value.ToStringUtf8());
        await writer.AskAsync(NearClient.Set("k", "4"));
        await reader.UntilInvalidatedAsync(static client => client.Told.Count > 1);
        Assert.Equal([ticket, ticket], reader.Told);
    }

    [Fact]
    public async Task NEAR_3_unary_write_and_own_write_notify_the_reader()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient client = await NearClient.OpenAsync(server);
        await client.AskAsync(NearClient.Set("k", "1"));
        uint ticket = (await client.GetAsync("k")).Ticket - 1;
        await client.AskAsync(NearClient.Set("k", "2"));
        await client.UntilInvalidatedAsync(static each => each.Told.Count > 0);
        await client.GetAsync("k");
        SetRequest set = new() { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes("3"), TtlMs = 9_000 };
        await server.CallAsync<SetResponse>("/cache_client.Scs/Set", set);
        await client.UntilInvalidatedAsync(static each => each.Told.Count > 1);
        Assert.Equal([ticket, ticket], client.Told);
    }

    [Fact]
    public async Task NEAR_3_reads_and_unmet_conditional_writes_send_no_notification()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient client = await NearClient.OpenAsync(server);
        await client.AskAsync(NearClient.Set("k", "1"));
        await client.GetAsync("k");
        await client.AskAsync(new Operation
        {
            Id = 5,
            SetIf = new SetIfRequest { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes("2"), TtlMs = 9_000, Absent = new() },
        });
        await client.AskAsync(new Operation { Id = 6, ItemGetTtl = new ItemGetTtlRequest { Key = CallHarness.Bytes("k") } });
        await client.AskAsync(new Operation { Id = 7, GetWithHash = new GetWithHashRequest { Key = CallHarness.Bytes("k") } });
        await client.SettleAsync();
        Assert.Empty(client.Told);
    }

    [Fact]
    public async Task NEAR_5_flush_and_cache_deletion_send_clear_to_every_reading_stream()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient first = await NearClient.OpenAsync(server);
        await using NearClient second = await NearClient.OpenAsync(server);
        await first.GetAsync("k");
        await second.GetAsync("k");
        await server.CallAsync<FlushCacheResponse>("/control_client.ScsControl/FlushCache", new FlushCacheRequest { Name = RunningServer.Cache });
        await first.UntilInvalidatedAsync(static client => client.Clears == 1);
        await second.UntilInvalidatedAsync(static client => client.Clears == 1);
        await first.GetAsync("k");
        await second.GetAsync("k");
        await server.CallAsync<DeleteCacheResponse>("/control_client.ScsControl/DeleteCache", new DeleteCacheRequest { Name = RunningServer.Cache });
        await first.UntilInvalidatedAsync(static client => client.Clears == 2);
        await second.UntilInvalidatedAsync(static client => client.Clears == 2);
        Assert.Empty(first.Told);
    }

    [Fact]
    public async Task NEAR_5_flush_or_tag_removal_in_another_cache_sends_no_clear()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "other" });
        await using NearClient client = await NearClient.OpenAsync(server);
        await client.AskAsync(NearClient.Set("k", "v"));
        uint ticket = (await client.GetAsync("k")).Ticket;
        RemoveByTagRequest unknown = new() { Tags = { CallHarness.Bytes("no item has it") } };
        for (int i = 0; i < 100; i++)
        {
            await server.CallAsync<RemoveByTagResponse>("/larder.v1.Extras/RemoveByTag", unknown, RunningServer.CacheHeaders("other"));
        }

        await server.CallAsync<FlushCacheResponse>("/control_client.ScsControl/FlushCache", new FlushCacheRequest { Name = "other" });
        await server.CallAsync<DeleteCacheResponse>("/control_client.ScsControl/DeleteCache", new DeleteCacheRequest { Name = "other" });
        await client.SettleAsync();
        Assert.Equal(0, client.Clears);
        await client.AskAsync(NearClient.Set("k", "w"));
        await client.UntilInvalidatedAsync(each => each.Told.Contains(ticket - 1));
        await server.CallAsync<RemoveByTagResponse>("/larder.v1.Extras/RemoveByTag", unknown);
        await client.UntilInvalidatedAsync(static each => each.Clears == 1);
    }

    [Fact]
    public async Task NEAR_5_changed_token_file_sends_clear_to_streams_of_its_tokens()
    {
        using TokensOnDisk tokens = new(TokensOnDisk.Entry("web", "readwrite", RunningServer.Cache, secrets: "web"));
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        RpcHeaders headers = new(new("cache", RunningServer.Cache), new("authorization", "web"));
        await using NearClient client = await NearClient.OpenAsync(server, headers);
        tokens.Write(TokensOnDisk.Entry("web", "read", RunningServer.Cache, "p:", secrets: "web"));

        // The client sends nothing during this time.
        await client.UntilInvalidatedAsync(static each => each.Clears == 1);
        Assert.Equal((uint)StatusCode.PermissionDenied, (await client.GetAsync("k")).Status.Code);
        Assert.Equal(1, client.Clears);
    }

    [Fact]
    public async Task NEAR_5_reader_receives_every_ticket_or_a_clear_after_many_changes()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient reader = await NearClient.OpenAsync(server);
        string[] keys = [.. Enumerable.Range(0, 100_000).Select(static i => $"key-{i}")];
        await server.SetManyAsync(keys, "1");
        Dictionary<string, uint> tickets = await reader.GetManyAsync(keys);

        // The client does not read during this time, so the pending notifications reach their limit in the server.
        await server.SetManyAsync(keys, "2");
        await reader.SettleAsync();
        HashSet<uint> told = [.. reader.Told];
        Assert.True(reader.Clears > 0 || tickets.Values.All(told.Contains), $"{reader.Clears} clears, {told.Count} tickets");
        Assert.InRange(reader.Told.Count, 0, tickets.Values.Distinct().Count());
    }

    [Fact]
    public async Task NEAR_7_renew_on_a_plain_stream_fails()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient client = await NearClient.OpenPlainAsync(server);
        Assert.Equal((uint)StatusCode.FailedPrecondition, (await client.RenewAsync()).Status.Code);
    }

    [Fact]
    public async Task NEAR_7_notifications_of_earlier_writes_precede_the_renew_response()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient reader = await NearClient.OpenAsync(server);
        await using NearClient writer = await NearClient.OpenPlainAsync(server);
        for (int i = 0; i < 300; i++)
        {
            await writer.AskAsync(NearClient.Set("k", $"{i}"));
            uint ticket = (await reader.GetAsync("k")).Ticket - 1;
            await writer.AskAsync(NearClient.Set("k", "again"));
            reader.Told.Clear();
            Assert.NotNull((await reader.RenewAsync()).NearRenew);
            Assert.Equal([ticket], reader.Told);
        }
    }

    [Fact]
    public async Task Draining_stream_still_receives_notifications()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using NearClient client = await NearClient.OpenAsync(server);
        Task stop = server.Server.StopAsync();
        await client.UntilInvalidatedAsync(static each => each.IsDraining);
        await client.AskAsync(NearClient.Set("k", "1"));
        Assert.NotEqual(0u, (await client.GetAsync("k")).Ticket);
        await client.AskAsync(NearClient.Set("k", "2"));
        await client.UntilInvalidatedAsync(static each => each.Told.Count > 0);
        await client.DisposeAsync();
        await stop;
    }

    [Fact]
    public async Task Near_statistics_count_notifications()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using (NearClient client = await NearClient.OpenAsync(server))
        {
            await client.AskAsync(NearClient.Set("k", "1"));
            await client.GetAsync("k");
            await client.AskAsync(NearClient.Set("k", "2"));
            await client.SettleAsync();
        }

        await Until.TrueAsync(async () => await FiguresAsync(server) == "0 1 1 0 1", "the figures stay");
    }

    private static RpcHeaders HeadersOf(string token) => new(new("cache", RunningServer.Cache), new("authorization", token));

    // Returns the numbers of streams, gets, invalidations, clears and renewals as text.
    private static async Task<string> FiguresAsync(RunningServer server)
    {
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        JsonObject near = (await console.ReadAsync("/stats"))["near"]!.AsObject();
        return string.Join(' ', near.Select(static each => each.Value!.ToString()));
    }
}
