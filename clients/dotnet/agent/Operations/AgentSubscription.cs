using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>One subscription of an agent, with the events that the driver has not requested yet.</summary>
internal sealed class AgentSubscription(TopicSubscription subscription, bool tellsHeartbeats) : IAsyncDisposable
{
    private readonly IAsyncEnumerator<TopicEvent> _events = subscription.GetAsyncEnumerator();
    private readonly SemaphoreSlim _reading = new(1);
    private JsonObject? _first;
    private Task<bool>? _next;
    private bool _hasEnded;

    /// <summary>Waits for the first event and stores it. Returns an error response if the event is an error or the subscription ended, else null.</summary>
    public async Task<JsonObject?> BeginAsync(CancellationToken stop)
    {
        _next = _events.MoveNextAsync().AsTask();
        using CancellationTokenRegistration given = stop.Register(() => _ = _events.DisposeAsync().AsTask());
        if (!await _next.ConfigureAwait(false))
        {
            return AgentHost.Error(nameof(CacheErrorCode.Cancelled), "The subscription was closed by the reader.", null);
        }

        _next = null;
        if (_events.Current is TopicEvent.Error error)
        {
            return AgentAnswer.Failed(error.Failure);
        }

        _first = LineOf(_events.Current);
        return null;
    }

    /// <summary>Returns the next <paramref name="count"/> events. Returns fewer events if the timeout elapses or the subscription ends.</summary>
    public async Task<JsonObject> NextAsync(int count, TimeSpan timeout)
    {
        JsonArray told = [];
        using CancellationTokenSource late = new(timeout);
        await _reading.WaitAsync().ConfigureAwait(false);
        try
        {
            while (told.Count < count && await TryReadAsync(late.Token).ConfigureAwait(false) is { } line)
            {
                told.Add(line);
            }
        }
        finally
        {
            _reading.Release();
        }

        return AgentAnswer.Result("success").With("events", told);
    }

    public async ValueTask DisposeAsync()
    {
        // Disposing the enumerator ends the read that is in progress.
        await _events.DisposeAsync().ConfigureAwait(false);
        await _reading.WaitAsync().ConfigureAwait(false);
        _reading.Dispose();
    }

    // Returns the next event as a line, or null if no event arrives in time or the subscription has ended.
    private async Task<JsonObject?> TryReadAsync(CancellationToken late)
    {
        if (_first is { } first)
        {
            _first = null;
            return first;
        }

        while (!_hasEnded)
        {
            _next ??= _events.MoveNextAsync().AsTask();
            if (await Task.WhenAny(_next, Task.Delay(Timeout.Infinite, late)).ConfigureAwait(false) != _next)
            {
                return null;
            }

            _hasEnded = !await _next.ConfigureAwait(false);
            _next = null;
            if ((_hasEnded ? Line("end") : LineOf(_events.Current)) is { } line)
            {
                return line;
            }
        }

        return null;
    }

    private JsonObject? LineOf(TopicEvent told) => told switch
    {
        TopicEvent.Item item => Line("item")
            .WithBytes("value", item.Value.Span)
            .With("kind", item.IsText ? "text" : "binary")
            .WithNumber("number", item.Number)
            .WithNumber("page", item.Page)
            .With("publisher", item.PublisherId),
        TopicEvent.Discontinuity gap => Line("discontinuity").WithNumber("last", gap.Last).WithNumber("next", gap.Next).WithNumber("page", gap.Page),
        TopicEvent.Error error => Line("error").With("error", AgentAnswer.Failed(error.Failure)["error"]!.DeepClone()),
        _ => tellsHeartbeats ? Line("heartbeat") : null,
    };

    private static JsonObject Line(string name) => new() { ["event"] = name };
}
