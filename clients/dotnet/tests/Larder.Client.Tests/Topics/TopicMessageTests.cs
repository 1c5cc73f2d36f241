namespace Larder.Client.Tests.Topics;

/// <summary>Tests which events a subscription returns for the messages of its stream: item numbers, gaps, unknown messages and large values.</summary>
public sealed class TopicMessageTests
{
    [Fact]
    public async Task Invalid_item_numbers_cause_no_duplicates_or_hidden_gaps()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-5");
            ulong[] numbers = [5, 6, 4, 6, 0, 9, 8, 10];
            foreach (ulong number in numbers)
            {
                await call.ItemAsync(number);
            }

            await call.GapAsync(10, 10);
            await call.GapAsync(10, 19);
            await call.GapAsync(10, 19);
            await call.ItemAsync(1, page: 3);
            await call.ItemAsync(ulong.MaxValue, page: 3);
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal(
            [
                "7-5 5", "7-6 6", "gap 6 7-9", "7-9 9", "7-10 10", "gap 10 7-20", "gap 19 3-1", "3-1 1", $"gap 1 3-{ulong.MaxValue}",
                $"3-{ulong.MaxValue} {ulong.MaxValue}",
            ],
            await events.TakeAsync(10));
    }

    [Fact]
    public async Task Unknown_topic_message_counts_as_activity_only()
    {
        await using TopicScript server = await TopicScript.StartAsync(
            static async call =>
            {
                // Sends an unknown field (15), and then an empty message. Both show that the subscription has started, so status 8 (RESOURCE_EXHAUSTED) does
                // not end it. An overloaded server uses this status only to reject subscriptions that have not started.
                await call.WriteAsync([0x7a, 1, 1]);
                await call.WriteAsync([]);
                await call.EndAsync(8);
            },
            static async call =>
            {
                await call.ItemAsync(1);
                await call.HoldAsync();
            });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t", new() { Heartbeats = true }).GetAsyncEnumerator();
        Assert.Equal("7-1 1", await events.NextAsync());
    }

    [Fact]
    public async Task Subscription_skips_heartbeats_and_unknown_messages()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            for (int i = 0; i < 20_000; i++)
            {
                await call.HeartbeatAsync();
            }

            // Messages that a future server version might send.
            await call.WriteAsync([0x22, 0x00]);
            await call.WriteAsync([]);
            await call.ItemAsync(1);
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal("7-1 1", await events.NextAsync());
    }

    [Fact]
    public async Task Subscription_receives_complete_values_of_1_MiB()
    {
        string large = new('x', 1 << 20);
        await using TopicScript server = await TopicScript.StartAsync(async call =>
        {
            await call.BeginAsync("7-1");
            await call.ItemAsync(1, text: large);
            await call.ItemAsync(2, text: large);
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal([$"7-1 {large}", $"7-2 {large}"], await events.TakeAsync(2));
    }
}
