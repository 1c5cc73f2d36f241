using Google.Protobuf;
using Larder.Client.Tests.Support;
using Larder.Wire;

namespace Larder.Client.Tests.Leases;

/// <summary>
/// Tests that only the status UNIMPLEMENTED means that a server lacks leases, tags or conditional TTLs. The error code <see cref="CacheErrorCode.Unknown"/>
/// also stands for other failures.
/// </summary>
public sealed class UnsupportedCallTests
{
    private static readonly Configuration Once = Configurations.Laptop.V1() with { MaxRetries = 0 };

    [Theory]
    [InlineData(StatusCode.Unimplemented, true)]
    [InlineData(StatusCode.Unknown, false)]
    public async Task GetOrCreate_stores_without_a_lease_only_if_leases_are_unsupported(StatusCode code, bool isStored)
    {
        await using TestClient test = new(Once);
        Task<GetOrCreateResult<CacheValue>> call =
            test.Cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult("v"u8.ToArray()), new GetOrCreateOptions()).AsTask();
        await AnswerAsync(test, TestClient.Missed);
        await FailAsync(test, code);
        await EndAsync(test, call, isStored ? TestClient.Stored : null);
        Assert.Equal(isStored ? GetOrCreateSource.Created : GetOrCreateSource.Uncached, (await call).Source);
    }

    [Theory]
    [InlineData(StatusCode.Unimplemented, true)]
    [InlineData(StatusCode.Unknown, false)]
    public async Task HybridCache_load_stores_without_a_lease_only_if_leases_are_unsupported(StatusCode code, bool isStored)
    {
        await using TestClient test = new(Once);
        LarderHybridCache cache = new(test.Client, new LarderHybridCacheOptions());
        Task<int> call = cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult(1)).AsTask();
        await AnswerAsync(test, TestClient.Missed);
        await FailAsync(test, code);
        await EndAsync(test, call, isStored ? TestClient.Stored : null);
        Assert.Equal(1, await call);
    }

    [Theory]
    [InlineData(StatusCode.Unimplemented, true)]
    [InlineData(StatusCode.Unknown, false)]
    public async Task HybridCache_set_omits_tags_only_if_tags_are_unsupported(StatusCode code, bool isStored)
    {
        await using TestClient test = new(Once);
        LarderHybridCache cache = new(test.Client, new LarderHybridCacheOptions());
        Task call = cache.SetAsync("k", 1).AsTask();
        await FailAsync(test, code);
        await EndAsync(test, call, isStored ? TestClient.Stored : null);
        CacheException? thrown = (CacheException?)await Record.ExceptionAsync(() => call);
        Assert.Equal(isStored ? null : CacheErrorCode.Unknown, thrown?.Error.Code);
    }

    [Theory]
    [InlineData(StatusCode.Unimplemented, true)]
    [InlineData(StatusCode.Unknown, false)]
    public async Task Refresh_reads_the_entry_only_if_the_extension_is_unsupported(StatusCode code, bool isRead)
    {
        await using TestClient test = new(Once);
        LarderDistributedCache cache = new(test.Client, new LarderDistributedCacheOptions());
        Task call = cache.RefreshAsync("k");
        await FailAsync(test, code);
        await EndAsync(test, call, isRead ? TestClient.Missed : null);
        CacheException? thrown = (CacheException?)await Record.ExceptionAsync(() => call);
        Assert.Equal(isRead ? null : CacheErrorCode.Unknown, thrown?.Error.Code);
    }

    [Theory]
    [InlineData(StatusCode.Unimplemented, true)]
    [InlineData(StatusCode.Unknown, false)]
    public async Task Sliding_read_stores_the_value_again_only_if_the_extension_is_unsupported(StatusCode code, bool isStored)
    {
        await using TestClient test = new(Once);
        LarderDistributedCache cache = new(test.Client, new LarderDistributedCacheOptions());
        EntryEnvelope envelope = new(TimeSpan.FromMinutes(1), null);
        byte[] stored = new byte[envelope.HeaderBytes + 1];
        envelope.Write(stored);
        Task<byte[]?> call = cache.GetAsync("k");
        await AnswerAsync(test, new Protocol.GetResponse { Result = Protocol.CacheResult.Hit, Value = ByteString.CopyFrom(stored) }.ToByteArray());
        await FailAsync(test, code);
        await EndAsync(test, call, isStored ? new Protocol.SetIfResponse { Stored = new() }.ToByteArray() : null);
        Assert.Equal([0], await call);
        Assert.Equal(isStored ? 0 : 1, cache.RefreshesFailed);
    }

    private static async Task AnswerAsync(TestClient test, byte[] payload)
    {
        await Eventually.Holds(() => test.Transport.Count == 1, "the client makes a call");
        test.Transport.Answer(payload);
    }

    private static async Task FailAsync(TestClient test, StatusCode code)
    {
        await Eventually.Holds(() => test.Transport.Count == 1, "the client makes a call");
        test.Transport.Fail(code);
    }

    // Waits for the end of the task. If there is an answer, the client must make one more call before, otherwise none.
    private static async Task EndAsync(TestClient test, Task call, byte[]? answer)
    {
        await Eventually.Holds(() => call.IsCompleted || test.Transport.Count == 1, "the call ends or makes another call");
        Assert.Equal(answer is null ? 0 : 1, test.Transport.Count);
        if (answer is not null)
        {
            test.Transport.Answer(answer);
        }

        await Task.WhenAny(call).WaitAsync(Eventually.Limit);
    }
}
