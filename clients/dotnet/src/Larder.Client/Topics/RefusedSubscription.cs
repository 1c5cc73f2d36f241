namespace Larder.Client.Topics;

/// <summary>A subscription with invalid arguments. It sends nothing to the server, yields one error event and ends.</summary>
internal sealed class RefusedSubscription(CacheError error) : IAsyncEnumerator<TopicEvent>
{
    private bool _isNotified;

    public TopicEvent Current { get; } = new TopicEvent.Error(error);

    public ValueTask<bool> MoveNextAsync()
    {
        bool isNews = !_isNotified;
        _isNotified = true;
        return ValueTask.FromResult(isNews);
    }

    public ValueTask DisposeAsync() => default;
}
