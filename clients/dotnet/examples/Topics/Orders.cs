using Larder.Client;

namespace Larder.Examples.Topics;

/// <summary>Follows a topic until a message closes it.</summary>
public static class Orders
{
    /// <summary>Prints each order and each gap as it arrives. Returns the reason why the subscription ended.</summary>
    public static async Task<string> FollowAsync(Cache cache, string until, TextWriter output, CancellationToken cancellationToken = default)
    {
        // Starts at the oldest stored message. By default, a subscription starts at the newest message, and with From = TopicStart.Now after that message.
        SubscribeOptions options = new() { ResumeAt = 1 };
        await foreach (TopicEvent told in cache.Subscribe("orders", options).WithCancellation(cancellationToken))
        {
            switch (told)
            {
                case TopicEvent.Item item when item.Value.Text == until:
                    return $"done with order {item.Number}";
                case TopicEvent.Item item:
                    await output.WriteLineAsync($"{item.Number}: {item.Value.Text}");
                    break;
                case TopicEvent.Discontinuity gap:
                    await output.WriteLineAsync($"what was after {gap.Last} is lost, {gap.Next} comes next");
                    break;
                case TopicEvent.Error error:
                    return error.Message;
            }
        }

        return "left";
    }
}
