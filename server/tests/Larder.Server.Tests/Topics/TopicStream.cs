using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

/// <summary>A running subscription.</summary>
internal sealed class TopicStream(IAsyncEnumerator<SubscriptionItem> items, CancellationTokenSource left) : IAsyncDisposable
{
    /// <summary>The next message.</summary>
    public async Task<SubscriptionItem> NextAsync()
    {
        Assert.True(await items.MoveNextAsync().AsTask().WaitAsync(RunningServer.Patience), "The subscription ended with OK.");
        return items.Current;
    }

    /// <summary>The next that is no heartbeat.</summary>
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

    /// <summary>The next message of somebody, which is what comes next but for heartbeats.</summary>
    public async Task<TopicItem> NextItemAsync() => (await NextEventAsync()).Item ?? throw new InvalidOperationException("It is no message.");

    /// <summary>The next, which is a discontinuity.</summary>
    public async Task<Discontinuity> NextGapAsync() => (await NextEventAsync()).Discontinuity ?? throw new InvalidOperationException("It is no gap.");

    /// <summary>How it ends, whatever comes before.</summary>
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
