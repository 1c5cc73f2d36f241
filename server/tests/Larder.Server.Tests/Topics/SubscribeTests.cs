using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

public sealed class SubscribeTests
{
    [Fact]
    public async Task A_subscriber_gets_what_is_published_after_it_in_order_with_numbers_from_one()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using TopicStream stream = await server.Channel.SubscribedAsync("t");
        await server.Channel.PublishAsync("t", "a");
        await server.Channel.PublishAsync("t", "b");
        TopicItem first = await stream.NextItemAsync();
        TopicItem second = await stream.NextItemAsync();
        Assert.Equal((1UL, "a"), (first.TopicSequenceNumber, first.Value.Text));
        Assert.Equal((2UL, "b"), (second.TopicSequenceNumber, second.Value.Text));
        Assert.NotEqual(0UL, first.SequencePage);
        Assert.Equal(first.SequencePage, second.SequencePage);
    }

    [Fact]
    public async Task A_fresh_subscriber_begins_with_the_newest_message_kept_and_is_told_of_no_gap()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.Channel.PublishAsync("t", "a");
        await server.Channel.PublishAsync("t", "b");
        await using TopicStream stream = await server.Channel.SubscribedAsync("t");
        Assert.Equal("b", (await stream.NextItemAsync()).Value.Text);
    }

    [Fact]
    public async Task One_of_an_unknown_cache_is_not_found()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        RpcException error = await server.Channel.Subscribe("t", cache: "none").EndAsync();
        Assert.Equal(StatusCode.NotFound, error.Status.Code);
    }
}
