using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

/// <summary>
/// Checks with many subscribers, many topics and a subscriber that does not read, on every kind of store. Messages are published at one server and received at
/// the same server or another one.
/// </summary>
internal static class SubscriberLoadChecks
{
    /// <summary>Checks that a subscriber that does not read receives a gap instead of the missed messages, and does not slow down the others.</summary>
    public static async Task ReadsNothingAsync(RunningServer publisher, RunningServer server)
    {
        await using RpcChannel slow = new(StallTolerantChannel.Options(server.Server.Endpoint) with { StreamWindowBytes = 65_535 });
        await using TopicStream stopped = await slow.SubscribedAsync("t");
        await using TopicStream other = await server.Channel.SubscribedAsync("t");
        ByteString value = ByteString.CopyFrom(new byte[1_000]);
        for (ulong number = 1; number <= 2_000; number++)
        {
            await publisher.Channel.PublishAsync("t", value);
            Assert.Equal(number, (await other.NextItemAsync()).TopicSequenceNumber);
        }

        ulong expected = 1;
        int gaps = 0;
        while (expected <= 2_000)
        {
            SubscriptionItem next = await stopped.NextEventAsync();
            if (next.Discontinuity is { } gap)
            {
                Assert.Equal(expected - 1, gap.LastTopicSequence);
                expected = gap.NewTopicSequence + 1;
                gaps++;
            }
            else
            {
                Assert.Equal(expected++, next.Item.TopicSequenceNumber);
            }
        }

        Assert.InRange(gaps, 1, 10);
        await publisher.Channel.PublishAsync("t", value);
        Assert.Equal(2_001UL, (await stopped.NextItemAsync()).TopicSequenceNumber);
    }

    /// <summary>Checks that each of five thousand subscribers of one topic receives every message.</summary>
    public static async Task SubscribersAsync(RunningServer publisher, RunningServer server)
    {
        RpcChannel[] channels = [.. Enumerable.Range(0, 50).Select(_ => StallTolerantChannel.To(server.Server.Endpoint))];
        List<TopicStream> streams = [];
        foreach (RpcChannel channel in channels)
        {
            streams.AddRange(await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => channel.SubscribedAsync("t"))));
        }

        for (ulong number = 1; number <= 3; number++)
        {
            await publisher.Channel.PublishAsync("t", $"{number}");
            TopicItem[] items = await Task.WhenAll(streams.Select(static stream => stream.NextItemAsync()));
            Assert.All(items, item => Assert.Equal(number, item.TopicSequenceNumber));
        }

        await Task.WhenAll(channels.Select(static channel => channel.DisposeAsync().AsTask()));
        await Task.WhenAll(streams.Select(static stream => stream.DisposeAsync().AsTask()));
    }

    /// <summary>Checks that the subscribers of five thousand topics each receive the message of their topic.</summary>
    public static async Task TopicsAsync(RunningServer publisher, RunningServer server)
    {
        foreach (int[] some in Enumerable.Range(0, 5_000).Chunk(100))
        {
            await Task.WhenAll(some.Select(each => publisher.Channel.PublishAsync($"t{each}", $"{each}")));
        }

        foreach (int[] some in Enumerable.Range(0, 5_000).Chunk(50))
        {
            // Use a new connection for each chunk, because thousands of stream resets on one connection would be treated as a flood.
            await using RpcChannel channel = StallTolerantChannel.To(server.Server.Endpoint);
            TopicItem[] items = await Task.WhenAll(some.Select(async each =>
            {
                await using TopicStream stream = await channel.SubscribedAsync($"t{each}");
                return await stream.NextItemAsync();
            }));
            Assert.Equal(some.Select(static each => $"{each}"), items.Select(static item => item.Value.Text));
        }
    }
}
