using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Topics;

/// <summary>Formats events as text, so that tests can compare them.</summary>
internal static class TopicReading
{
    /// <summary>Returns the text of the next event, or "end" if the subscription has ended.</summary>
    public static async Task<string> NextAsync(this IAsyncEnumerator<TopicEvent> events) =>
        await Eventually.Within(events.MoveNextAsync()) ? TextOf(events.Current) : "end";

    /// <summary>Returns the texts of the next <paramref name="count"/> events.</summary>
    public static async Task<string[]> TakeAsync(this IAsyncEnumerator<TopicEvent> events, int count)
    {
        List<string> taken = [];
        while (taken.Count < count)
        {
            taken.Add(await events.NextAsync());
        }

        return [.. taken];
    }

    public static string TextOf(TopicEvent told) => told switch
    {
        TopicEvent.Item item => $"{item.Page}-{item.Number} {item.Value.Text}",
        TopicEvent.Discontinuity gap => $"gap {gap.Last} {gap.Page}-{gap.Next}",
        TopicEvent.Error error => $"error {error.Code}",
        _ => "heartbeat",
    };
}
