using Larder.Protocol;
using Larder.Server.Tests.Topics;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>
/// Follows a topic in the same way as a client. When the stream ends for any reason, the subscriber resumes at its position, at another gateway.
/// </summary>
internal sealed class ResumingSubscriber : IAsyncDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

    private readonly IReadOnlyList<RpcChannel> _gateways;
    private readonly string _topic;
    private readonly List<TopicStep> _steps = [];
    private readonly CancellationTokenSource _end = new();
    private readonly Task _following;
    private ulong _page;
    private ulong _number = 1;
    private int _turn;

    public ResumingSubscriber(IReadOnlyList<RpcChannel> gateways, string topic, int turn)
    {
        _gateways = gateways;
        _topic = topic;
        _turn = turn;
        _following = Task.Run(FollowAsync);
    }

    /// <summary>The messages and gaps received so far.</summary>
    public TopicStep[] Steps
    {
        get
        {
            lock (_steps)
            {
                return [.. _steps];
            }
        }
    }

    /// <summary>Waits until a message has been received, then stops following.</summary>
    public void Until(string text) => Redis.Tests.Eventually.Until(
        () =>
        {
            Assert.False(_following.IsFaulted, $"{_following.Exception}");
            lock (_steps)
            {
                return _steps.FindLastIndex(step => step.Text == text) >= 0;
            }
        },
        $"'{text}' comes to everyone");

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _following;
        _end.Dispose();
    }

    private async Task FollowAsync()
    {
        while (!_end.IsCancellationRequested)
        {
            try
            {
                await using TopicStream stream = _gateways[_turn++ % _gateways.Count].Subscribe(_topic, _number, _page);
                while (!_end.IsCancellationRequested)
                {
                    Take(await stream.NextAsync());
                }
            }
            catch (RpcException error) when (error.Status.Code is StatusCode.Unavailable or StatusCode.Internal or StatusCode.Cancelled)
            {
                await Task.Delay(s_pause);
            }
        }
    }

    private void Take(SubscriptionItem message)
    {
        TopicStep step;
        switch (message.KindCase)
        {
            case SubscriptionItem.KindOneofCase.Item:
                step = new TopicStep(message.Item.SequencePage, message.Item.TopicSequenceNumber, message.Item.Value.Text);
                break;
            case SubscriptionItem.KindOneofCase.Discontinuity:
                step = new TopicStep(message.Discontinuity.NewSequencePage, message.Discontinuity.NewTopicSequence, null);
                break;
            default:
                return;
        }

        (_page, _number) = (step.Page, step.Number + 1);
        lock (_steps)
        {
            _steps.Add(step);
        }
    }
}
