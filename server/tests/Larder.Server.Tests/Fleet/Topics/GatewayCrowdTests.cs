using Larder.Harness.Redis;
using Larder.Server.Tests.Topics;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>
/// Tests with many subscribers, many topics and one subscriber that does not read. Messages are published at one gateway and received at another.
/// </summary>
public sealed class GatewayCrowdTests : IDisposable
{
    private readonly RedisServer _redis = new();

    public void Dispose() => _redis.Dispose();

    [Fact]
    public Task Slow_subscriber_receives_gap_without_slowing_other_subscribers() => AtTwoGatewaysAsync(SubscriberLoadChecks.ReadsNothingAsync);

    [Fact]
    public Task N3_five_thousand_subscribers_of_a_topic_receive_every_message() => AtTwoGatewaysAsync(SubscriberLoadChecks.SubscribersAsync);

    [Fact]
    public Task N3_five_thousand_topics_deliver_their_own_messages() => AtTwoGatewaysAsync(SubscriberLoadChecks.TopicsAsync);

    private async Task AtTwoGatewaysAsync(Func<RunningServer, RunningServer, Task> check)
    {
        await using RunningServer first = await RunningGateway.StartAsync(_redis.Url, options => options with { MemoryBytes = 512L << 20 });
        await using RunningServer second = await RunningGateway.StartAsync(_redis.Url, options => options with { MemoryBytes = 512L << 20 });
        await check(first, second);
    }
}
