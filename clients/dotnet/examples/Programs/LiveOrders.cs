using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>Publishes orders to a topic and receives them. Later, a second subscription starts with the message after the last received one.</summary>
public static class LiveOrders
{
    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromMinutes(1));
        Cache shop = client.Cache("cache");
        List<TopicEvent.Item> orders = [];
        await foreach (TopicEvent each in shop.Subscribe("orders", new() { From = TopicStart.Now, Heartbeats = true }))
        {
            if (each is TopicEvent.Heartbeat) // The first heartbeat: the server has accepted the subscription.
            {
                await shop.PublishAsync("orders", "two pencils");
                await shop.PublishAsync("orders", "paper");
            }
            else if (each is TopicEvent.Item order)
            {
                orders.Add(order);
                break; // Leaving the loop ends the subscription.
            }
            else if (each is TopicEvent.Error error) // The last event: a retry would fail too.
            {
                throw new CacheException(error.Failure);
            }
        }

        // Later, perhaps in another process: subscribe from the next message. Its number is valid only with the page of the last message.
        SubscribeOptions resumed = new() { ResumeAt = orders[^1].Number + 1, Page = orders[^1].Page };
        await foreach (TopicEvent.Item order in shop.Subscribe("orders", resumed).OfType<TopicEvent.Item>().Take(1))
        {
            orders.Add(order);
        }

        return [.. orders.Select(order => order.Value.Text)];
    }
}
