using System.Globalization;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>Runs publishers and subscribers of one topic over several gateways. Checks the guarantees that every subscriber has even if faults occur.</summary>
internal sealed class TopicRun : IAsyncDisposable
{
    private readonly RetryingPublisher[] _publishers;
    private readonly ResumingSubscriber[] _subscribers;
    private Dictionary<string, HashSet<long>> _answered = [];

    public TopicRun(IReadOnlyList<RpcChannel> gateways, string topic, int publishers, int subscribers)
    {
        _subscribers = [.. Enumerable.Range(0, subscribers).Select(turn => new ResumingSubscriber(gateways, topic, turn))];
        _publishers = [.. Enumerable.Range(0, publishers).Select(name => new RetryingPublisher(gateways, topic, $"p{name}"))];
    }

    /// <summary>The number of acknowledged messages.</summary>
    public int Answered => _publishers.Sum(static each => each.Answered.Count);

    /// <summary>The largest number of gaps that one subscriber received.</summary>
    public int Gaps => _subscribers.Max(static each => each.Steps.Count(static step => step.Text is null));

    /// <summary>Waits until <paramref name="more"/> additional messages have been acknowledged.</summary>
    public void Go(int more)
    {
        int before = Answered;
        Redis.Tests.Eventually.Until(() => Answered >= before + more, $"{more} more messages are answered");
    }

    /// <summary>Stops publishing, waits until every subscriber has received the last message, and checks the received messages.</summary>
    public async Task EndAsync()
    {
        foreach (RetryingPublisher publisher in _publishers)
        {
            string last = await publisher.EndAsync();
            foreach (ResumingSubscriber subscriber in _subscribers)
            {
                subscriber.Until(last);
            }
        }

        _answered = _publishers.ToDictionary(static each => each.Name, static each => each.Answered);
        Dictionary<(ulong, ulong), string> agreed = [];
        foreach (ResumingSubscriber subscriber in _subscribers)
        {
            Judge(subscriber.Steps, agreed);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (IAsyncDisposable each in _publishers.Cast<IAsyncDisposable>().Concat(_subscribers))
        {
            await each.DisposeAsync();
        }
    }

    private void Judge(TopicStep[] steps, Dictionary<(ulong, ulong), string> agreed)
    {
        HashSet<string> seen = [];
        Dictionary<string, long> newest = [];
        Dictionary<string, long> sinceGap = [];
        TopicStep? before = null;
        foreach (TopicStep step in steps)
        {
            if (step.Text is null)
            {
                sinceGap.Clear();
            }
            else
            {
                // No message is out of order or duplicated, and a sequence number means the same message for every subscriber.
                bool follows = before is null ? step.Number == 1 : (step.Page, step.Number) == (before.Page, before.Number + 1);
                Assert.True(follows, $"{before} was followed by {step}");
                Assert.Equal(agreed.TryAdd((step.Page, step.Number), step.Text) ? step.Text : agreed[(step.Page, step.Number)], step.Text);
                Assert.True(seen.Add(step.Text), $"{step} came twice");
                JudgeOrder(step, newest, sinceGap);
            }

            before = step;
        }
    }

    // Only the order of acknowledged messages is guaranteed. An unacknowledged message may be published after its publisher has continued with the next
    // message.
    private void JudgeOrder(TopicStep step, Dictionary<string, long> newest, Dictionary<string, long> sinceGap)
    {
        string[] parts = step.Text!.Split(':');
        long number = long.Parse(parts[1], CultureInfo.InvariantCulture);
        HashSet<long> answered = _answered[parts[0]];
        if (!answered.Contains(number))
        {
            return;
        }

        Assert.True(newest.GetValueOrDefault(parts[0]) < number, $"{step} came after {newest.GetValueOrDefault(parts[0])}");
        for (long missed = sinceGap.GetValueOrDefault(parts[0], number) + 1; missed < number; missed++)
        {
            Assert.False(answered.Contains(missed), $"{parts[0]}:{missed} was answered and is missing before {step}, and no gap was told");
        }

        newest[parts[0]] = sinceGap[parts[0]] = number;
    }
}
