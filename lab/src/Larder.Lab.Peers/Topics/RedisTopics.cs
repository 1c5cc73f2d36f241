using Larder.Agent;
using StackExchange.Redis;

namespace Larder.Lab.Peers.Topics;

/// <summary>
/// StackExchange.Redis with a multiplexer for each subscription, because Redis sends a message only once per connection, regardless of the number of
/// subscriptions on it. Messages are delivered in order, which is the default of the library and also what Larder's client does.
/// </summary>
internal sealed class RedisTopics(ConnectionMultiplexer publisher, string endpoint) : ITopicTarget
{
    // The maximum number of concurrent connects. The accept backlog of a Redis server is 511.
    private const int Connecting = 50;
    private static readonly RedisChannel Channel = RedisChannel.Literal("bench");
    private readonly List<ConnectionMultiplexer> _followers = [];

    public static async Task<ITopicTarget> ConnectAsync(string endpoint) =>
        new RedisTopics(await ConnectionMultiplexer.ConnectAsync(endpoint).ConfigureAwait(false), endpoint);

    public async Task FollowAsync(int subscribers, TopicLoad load) => await Parallel.ForAsync(
        0,
        subscribers,
        new ParallelOptions { MaxDegreeOfParallelism = Connecting },
        async (_, _) =>
        {
            ConnectionMultiplexer follower = await ConnectionMultiplexer.ConnectAsync($"{endpoint},connectTimeout=30000").ConfigureAwait(false);
            lock (_followers)
            {
                _followers.Add(follower);
            }

            await follower.GetSubscriber().SubscribeAsync(Channel, (_, message) => load.Delivered((byte[])message!)).ConfigureAwait(false);
        }).ConfigureAwait(false);

    public async ValueTask PublishAsync(byte[] message)
    {
        try
        {
            await publisher.GetSubscriber().PublishAsync(Channel, message).ConfigureAwait(false);
        }
        catch (Exception failed) when (failed is RedisException or TimeoutException)
        {
            throw new AgentException(failed.Message);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Parallel.ForEachAsync(_followers, static async (follower, _) => await follower.CloseAsync(allowCommandsToComplete: false).ConfigureAwait(false))
            .ConfigureAwait(false);
        await publisher.CloseAsync().ConfigureAwait(false);
    }
}
