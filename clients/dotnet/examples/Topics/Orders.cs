using Larder.Client;

namespace Larder.Examples.Topics;

/// <summary>Follows a topic until a message says that it is the last.</summary>
public static class Orders
{
    /// <summary>Writes each order as it comes, and where one was missed; says why it ended.</summary>
    public static async Task<string> FollowAsync(Cache cache, string until, TextWriter output, CancellationToken cancellationToken = default)
    {
        // From the first that is kept; without it from the newest, or with From = TopicStart.Now after it.
        SubscribeOptions options = new() { ResumeAt = 1 };
        await foreach (TopicEvent told in cache.Subscribe("orders", options).WithCancellation(cancellationToken))
        {
            switch (told)
            {
                case TopicEvent.Item item when item.ValueString == until:
                    return $"done with order {item.Number}";
                case TopicEvent.Item item:
                    await output.WriteLineAsync($"{item.Number}: {item.ValueString}");
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
