using Larder.Client.Tests.Support;
using Larder.Wire;

namespace Larder.Client.Tests.Collections;

/// <summary>Tests which calls are retried (RETRY-1, RETRY-3). Of two calls that share one RPC, the client may retry only one.</summary>
public sealed class CollectionRetryTests
{
    [Fact]
    public async Task RETRY_1_idempotent_collection_call_is_retried()
    {
        await SentAgain(static cache => cache.SetDifferenceAsync("s", ["a"]).AsTask());
        await SentAgain(static cache => cache.SetRemoveElementAsync("s", "a").AsTask());
        await SentAgain(static cache => cache.DictionaryRemoveAsync("d", ["a"]).AsTask());
        await SentAgain(static cache => cache.DictionaryDeleteAsync("d").AsTask());
        await SentAgain(static cache => cache.ListRemoveAsync("l", "a").AsTask());
        await SentAgain(static cache => cache.SortedSetRemoveAsync("z", ["a"]).AsTask());
        await SentAgain(static cache => cache.SortedSetFetchByScoreAsync("z").AsTask());
    }

    [Fact]
    public async Task RETRY_3_non_idempotent_collection_call_is_not_retried()
    {
        await NotSentAgain(static cache => cache.SetDifferenceFromAsync("s", ["a"]).AsTask());
        await NotSentAgain(static cache => cache.SetPopAsync("s").AsTask());
        await NotSentAgain(static cache => cache.ListPushBackAsync("l", "a").AsTask());
        await NotSentAgain(static cache => cache.ListPopFrontAsync("l").AsTask());
        await NotSentAgain(static cache => cache.ListRetainAsync("l", 1).AsTask());
        await NotSentAgain(static cache => cache.ListEraseAsync("l", [new(0, 1)]).AsTask());
        await NotSentAgain(static cache => cache.DictionaryIncrementAsync("d", "n").AsTask());
        await NotSentAgain(static cache => cache.SortedSetIncrementAsync("z", "a").AsTask());
        await NotSentAgain(static cache => cache.SortedSetUnionStoreAsync("z", [new("y")]).AsTask());
    }

    private static async Task SentAgain<T>(Func<Cache, Task<T>> make)
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        Task<T> call = make(test.Cache);
        test.Transport.Fail(StatusCode.Unavailable);
        test.Time.Advance(TimeSpan.FromMilliseconds(80));
        Assert.Equal((1, 1), (test.Transport.Count, test.Client.InFlight));
        await test.DisposeAsync();
        Expect.Error(await call.WaitAsync(Eventually.Limit));
    }

    private static async Task NotSentAgain<T>(Func<Cache, Task<T>> make)
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        Task<T> call = make(test.Cache);
        test.Transport.Fail(StatusCode.Unavailable);
        CacheError failure = Expect.Error(await call.WaitAsync(Eventually.Limit));
        Assert.Equal((CacheErrorCode.Unavailable, 1, 0), (failure.Code, failure.Attempts, test.Transport.Count));

        Task<T> refused = make(test.Cache);
        test.Transport.Fail(StatusCode.Unavailable, notProcessed: true);
        test.Time.Advance(TimeSpan.FromMilliseconds(80));
        Assert.Equal(1, test.Transport.Count);
        await test.DisposeAsync();
        Expect.Error(await refused.WaitAsync(Eventually.Limit));
    }
}
