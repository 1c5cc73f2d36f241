using System.Diagnostics.Metrics;
using Larder.Client.Tests.Support;
using Larder.Harness.Proxies;

namespace Larder.Client.Tests.Near;

/// <summary>Tests that only one of several gateways has the near stream, and that near gets are sent to it (NEAR-20).</summary>
public sealed class NearGatewayTests
{
    [Fact]
    public async Task NEAR_20_near_get_calls_use_the_gateway_of_the_near_stream()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy one = new(server.Port);
        await using FaultProxy other = new(server.Port);
        await using CacheClient client = Of(one, other);
        await UpAsync(client);
        object owner = client.NearReads!.Stream!.Owner;
        for (int key = 0; key < 200; key++)
        {
            Expect.Success(await client.Cache("cache").SetAsync($"key-{key}", "value"));
            Expect.Hit(await client.Cache("cache").GetAsync($"key-{key}"));
            Assert.True(client.Cache("cache").TryGetNear($"key-{key}", out _));
        }

        Assert.Same(owner, client.NearReads.Stream!.Owner);
        Assert.Equal(200, client.NearCache!.Kept);
    }

    [Fact]
    public async Task NEAR_20_lost_near_stream_moves_to_another_gateway()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        FaultProxy one = new(server.Port);
        FaultProxy other = new(server.Port);
        await using CacheClient client = Of(one, other);
        await UpAsync(client);
        await client.Cache("cache").SetAsync("k", "v1");
        Expect.Hit(await client.Cache("cache").GetAsync("k"));

        // If the near stream's gateway fails, another gateway gets the near stream.
        await one.DisposeAsync();
        await Eventually.Holds(() => client.Gateways[0].Connections == 0, "the first gateway is lost");
        await Eventually.Holds(() => client.NearReads!.Stream is not null, "there is a near stream");
        Expect.Hit(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.True(client.Cache("cache").TryGetNear("k", out _));
        await using FaultProxy again = new(server.Port, port: one.Port);
        await Eventually.Holds(() => client.Gateways.All(static gateway => !gateway.IsLeftOut), "both are up again");
        object second = client.NearReads!.Stream!.Owner;
        await other.DisposeAsync();
        await Eventually.Holds(() => client.NearReads.Stream is { } stream && stream.Owner != second, "the first gateway's is asked again");
        Expect.Hit(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.True(client.Cache("cache").TryGetNear("k", out _));
    }

    [Fact]
    public async Task Client_meter_reports_near_cache_statistics()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(NearScript.Configured());
        await client.Cache("cache").SetAsync("k", "v1");
        await Eventually.Holds(() => client.NearReads!.Stream is not null, "there is a near stream");
        await client.Cache("cache").GetAsync("k");
        await client.Cache("cache").GetAsync("k");
        Dictionary<string, long> told = [];
        using MeterListener listener = new()
        {
            InstrumentPublished = (instrument, listening) =>
            {
                if (instrument.Meter == client.Telemetry.Meter && instrument.Name.StartsWith("cache.client.near.", StringComparison.Ordinal))
                {
                    listening.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, measured, _, _) => told[instrument.Name["cache.client.near.".Length..]] = measured);
        listener.Start();
        listener.RecordObservableInstruments();
        Assert.Equal(
            new Dictionary<string, long>
            {
                ["hits"] = 1,
                ["kept"] = 1,
                ["invalidations"] = 0,
                ["clears"] = 0,
                ["poisoned"] = 0,
                ["evictions"] = 0,
                ["copies"] = 1,
                ["bytes"] = 136,
            },
            told);
    }

    private static CacheClient Of(FaultProxy one, FaultProxy other) => new(
        NearScript.Configured(),
        CredentialProvider.FromString($"http://127.0.0.1:{one.Port},http://127.0.0.1:{other.Port}"),
        TimeSpan.FromMinutes(1));

    private static async Task UpAsync(CacheClient client)
    {
        await Eventually.Within(client.ConnectAsync());
        await Eventually.Holds(() => client.Gateways.All(static gateway => !gateway.IsLeftOut) && client.NearReads!.Stream is not null, "all is up");
    }
}
