using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

public sealed class SubscribeTests
{
    [Fact]
    public async Task Subscriber_receives_new_messages_in_order_numbered_from_one()
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
    public async Task New_subscriber_first_receives_newest_stored_message_and_no_gap()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.Channel.PublishAsync("t", "a");
        await server.Channel.PublishAsync("t", "b");
        await using TopicStream stream = await server.Channel.SubscribedAsync("t");
        Assert.Equal("b", (await stream.NextItemAsync()).Value.Text);
    }

    [Fact]
    public async Task Subscribe_to_unknown_cache_fails_with_NotFound()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        RpcException error = await server.Channel.Subscribe("t", cache: "none").EndAsync();
        Assert.Equal(StatusCode.NotFound, error.Status.Code);
    }
}
