using System.Net;
using System.Text.Json.Nodes;
using Larder.Server.Tests.Console;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Topics;

/// <summary>Tests of the statistics of topics.</summary>
public sealed class TopicStatisticsTests
{
    [Fact]
    public async Task Topics_are_reported_by_stats_metrics_and_console()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using TopicStream stream = await server.Channel.SubscribedAsync("orders");
        await server.Channel.PublishAsync("orders", "one");
        await server.Channel.PublishAsync("orders", "two");
        await stream.NextItemAsync();
        await stream.NextItemAsync();
        await using TopicStream gap = await server.Channel.SubscribedAsync("orders", resumeAt: 9);
        await gap.NextGapAsync();
        await gap.NextItemAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        JsonNode told = (await console.ReadAsync("/stats"))["topics"]!;
        Assert.Equal("1 2 2 6 3 1 0", Words(told, "topics", "subscribers", "messages", "messageBytes", "deliveries", "gaps", "slowestBehind"));
        Assert.True((long)told["usedBytes"]! > 0);
        JsonNode row = Assert.Single((await console.ReadAsync("/api/topics"))["topics"]!.AsArray())!;
        Assert.Equal("cache orders 2 2 2 3 1 2", Words(row, "cache", "topic", "newest", "subscribers", "messages", "deliveries", "gaps", "kept"));
        using HttpResponseMessage answer = await console.GetAsync("/metrics");
        string metrics = await answer.Content.ReadAsStringAsync();
        foreach (string line in (string[])["larder_topics 1", "larder_topic_subscribers 2", "larder_topic_messages_total 2", "larder_topic_deliveries_total 3"])
        {
            Assert.Contains($"{line}\n", metrics, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Topic_totals_survive_deletion_of_the_cache()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        JsonObject cache = new() { ["cache"] = "c", ["maxBytes"] = 0 };
        Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Post, "/api/caches", cache));
        await using (TopicStream stream = await server.Channel.SubscribedAsync("t", cache: "c"))
        {
            await server.Channel.PublishAsync("t", "one", cache: "c");
            await stream.NextItemAsync();
            Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Delete, "/api/caches", new JsonObject { ["cache"] = "c" }));
            await stream.EndAsync();
        }

        JsonNode told = null!;
        await Until.TrueAsync(
            async () => (long)(told = (await console.ReadAsync("/stats"))["topics"]!)["subscribers"]! == 0,
            "the subscription has ended");
        Assert.Equal("0 1 1 0", Words(told, "topics", "messages", "deliveries", "usedBytes"));
    }

    private static string Words(JsonNode of, params string[] names) => string.Join(' ', names.Select(name => of[name]!.ToString()));
}
