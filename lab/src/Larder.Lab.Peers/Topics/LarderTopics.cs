using Larder.Agent;
using Larder.Client;

namespace Larder.Lab.Peers.Topics;

/// <summary>Topics of the Larder client with its usual setting of 100 subscriptions per connection.</summary>
internal sealed class LarderTopics(CacheClient client) : ITopicTarget
{
    private const string Topic = "bench";
    private readonly Cache _cache = client.Cache("cache");
    private readonly List<Task> _reading = [];

    public static async Task<ITopicTarget> ConnectAsync(string endpoint)
    {
        Configuration configuration = Configurations.Laptop.Latest() with { Transport = Transport.Unary };
        return new LarderTopics(
            await CacheClient.CreateAsync(configuration, CredentialProvider.FromString($"http://{endpoint}"), TimeSpan.FromMinutes(1)).ConfigureAwait(false));
    }

    public async Task FollowAsync(int subscribers, TopicLoad load)
    {
        List<Task> begun = [];
        for (int i = 0; i < subscribers; i++)
        {
            TaskCompletionSource isThere = new(TaskCreationOptions.RunContinuationsAsynchronously);
            begun.Add(isThere.Task);
            _reading.Add(Task.Run(() => ReadAsync(load, isThere)));
        }

        await Task.WhenAll(begun).ConfigureAwait(false);
    }

    public async ValueTask PublishAsync(byte[] message)
    {
        if (await _cache.PublishAsync(Topic, message).ConfigureAwait(false) is { Error: { } error })
        {
            throw new AgentException(error.Message);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_reading).ConfigureAwait(false);
    }

    private async Task ReadAsync(TopicLoad load, TaskCompletionSource isThere)
    {
        SubscribeOptions options = new() { From = TopicStart.Now, Heartbeats = true };
        await foreach (TopicEvent told in _cache.Subscribe(Topic, options).ConfigureAwait(false))
        {
            switch (told)
            {
                case TopicEvent.Item item:
                    load.Delivered(item.Value.Span);
                    break;
                case TopicEvent.Heartbeat:
                    isThere.TrySetResult();
                    break;
                case TopicEvent.Discontinuity:
                    load.Gap();
                    break;
                case TopicEvent.Error error:
                    isThere.TrySetException(new AgentException(error.Message));
                    load.Gap();
                    break;
            }
        }
    }
}
