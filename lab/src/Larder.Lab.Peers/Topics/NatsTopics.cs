using Larder.Agent;
using NATS.Client.Core;

namespace Larder.Lab.Peers.Topics;

/// <summary>NATS with its own client library. As with Larder, there are 100 subscriptions per connection. The publisher has a separate connection.</summary>
internal sealed class NatsTopics(NatsConnection publisher, string endpoint) : ITopicTarget
{
    private const string Subject = "bench";
    private const int OnOneConnection = 100;
    private readonly List<NatsConnection> _followers = [];
    private readonly List<Task> _reading = [];

    public static async Task<ITopicTarget> ConnectAsync(string endpoint)
    {
        NatsConnection publisher = new(new NatsOpts { Url = $"nats://{endpoint}" });
        await publisher.ConnectAsync().ConfigureAwait(false);
        return new NatsTopics(publisher, endpoint);
    }

    public async Task FollowAsync(int subscribers, TopicLoad load)
    {
        for (int i = 0; i < subscribers; i++)
        {
            if (i % OnOneConnection == 0)
            {
                _followers.Add(new NatsConnection(new NatsOpts { Url = $"nats://{endpoint}" }));
            }

            INatsSub<byte[]> subscription = await _followers[^1].SubscribeCoreAsync<byte[]>(Subject).ConfigureAwait(false);
            _reading.Add(Task.Run(() => ReadAsync(subscription, load)));
        }

        foreach (NatsConnection follower in _followers)
        {
            // The server processes the subscriptions before it responds to the ping, because the subscriptions were sent first.
            await follower.PingAsync().ConfigureAwait(false);
        }
    }

    public async ValueTask PublishAsync(byte[] message)
    {
        try
        {
            await publisher.PublishAsync(Subject, message).ConfigureAwait(false);
        }
        catch (NatsException failed)
        {
            throw new AgentException(failed.Message);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (NatsConnection connection in (NatsConnection[])[.. _followers, publisher])
        {
            await connection.DisposeAsync().ConfigureAwait(false);
        }

        await Task.WhenAll(_reading).ConfigureAwait(false);
    }

    private static async Task ReadAsync(INatsSub<byte[]> subscription, TopicLoad load)
    {
        await foreach (NatsMsg<byte[]> message in subscription.Msgs.ReadAllAsync().ConfigureAwait(false))
        {
            load.Delivered(message.Data);
        }
    }
}
