using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

/// <summary>A running subscription.</summary>
internal sealed class TopicStream(IAsyncEnumerator<SubscriptionItem> items, CancellationTokenSource left) : IAsyncDisposable
{
    /// <summary>Returns the next message of the stream.</summary>
    public async Task<SubscriptionItem> NextAsync()
    {
        Assert.True(await items.MoveNextAsync().AsTask().WaitAsync(RunningServer.Patience), "The subscription ended with OK.");
        return items.Current;
    }

    /// <summary>Returns the next message that is not a heartbeat.</summary>
    public async Task<SubscriptionItem> NextEventAsync()
    {
        SubscriptionItem next;
        do
        {
            next = await NextAsync();
        }
        while (next.KindCase == SubscriptionItem.KindOneofCase.Heartbeat);

        return next;
    }

    /// <summary>Returns the next published message. Only heartbeats may precede it.</summary>
    public async Task<TopicItem> NextItemAsync() => (await NextEventAsync()).Item ?? throw new InvalidOperationException("It is no message.");

    /// <summary>Returns the next discontinuity. Only heartbeats may precede it.</summary>
    public async Task<Discontinuity> NextGapAsync() => (await NextEventAsync()).Discontinuity ?? throw new InvalidOperationException("It is no gap.");

    /// <summary>Reads until the subscription fails. Returns the error.</summary>
    public async Task<RpcException> EndAsync() => await Assert.ThrowsAsync<RpcException>(async () =>
    {
        while (true)
        {
            await NextAsync();
        }
    });

    public async ValueTask DisposeAsync()
    {
        await left.CancelAsync();
        await items.DisposeAsync();
        left.Dispose();
    }
}
