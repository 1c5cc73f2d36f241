using System.Text;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

public sealed class GetOrCreateBatchTests : IAsyncLifetime
{
    private readonly List<string> _asked = [];
    private RunningServer _server = null!;
    private CacheClient _client = null!;

    public async Task InitializeAsync()
    {
        _server = await RunningServer.StartAsync();
        _client = _server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
    }

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task GetOrCreateBatch_creates_and_stores_missing_keys_in_one_call()
    {
        await _client.Cache("cache").SetAsync("b", "there");
        IReadOnlyList<GetOrCreateResult<CacheValue>> answers =
            await _client.Cache("cache").GetOrCreateBatchAsync(["a", "b", "c", "a"], MakeAsync, TimeSpan.FromHours(2));
        Assert.Equal(["Created a", "Hit there", "Created c", "Created a"], answers.Select(static answer => $"{answer.Source} {answer.Value.Text}"));
        Assert.Equal(["a,c"], _asked);
        Assert.True((await _client.Cache("cache").ItemGetTtlAsync("c")).Value > TimeSpan.FromHours(1));
        answers = await _client.Cache("cache").GetOrCreateBatchAsync(["a", "c"], MakeAsync);
        Assert.All(answers, static answer => Expect.Hit(answer));
        Assert.Single(_asked);
    }

    [Fact]
    public async Task GetOrCreateBatch_responses_share_no_memory()
    {
        IReadOnlyList<GetOrCreateResult<CacheValue>> answers = await _client.Cache("cache").GetOrCreateBatchAsync(["a", "a"], MakeAsync);
        Assert.False(answers[0].Value.Span.Overlaps(answers[1].Value.Span));
    }

    [Fact]
    public async Task GetOrCreateBatch_rejects_invalid_arguments_before_any_call()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        Assert.Empty(await test.Cache.GetOrCreateBatchAsync([], MakeAsync));
        await Assert.ThrowsAsync<ArgumentException>(async () => await test.Cache.GetOrCreateBatchAsync(["a", ""], MakeAsync));
        await Assert.ThrowsAsync<ArgumentException>(async () => await test.Client.Cache("").GetOrCreateBatchAsync(["a"], MakeAsync));
        await Assert.ThrowsAsync<ArgumentException>(async () => await test.Cache.GetOrCreateBatchAsync(["a"], MakeAsync, TimeSpan.Zero));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await test.Cache.GetOrCreateBatchAsync(["a"], null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await test.Cache.GetOrCreateBatchAsync(null!, MakeAsync));
        Assert.Equal(0, test.Transport.Count);
        Assert.Empty(_asked);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1_000_000)]
    [InlineData(-1)]
    public async Task GetOrCreateBatch_throws_if_factory_returns_wrong_number_of_values(int count)
    {
        IReadOnlyList<byte[]> made = count < 0 ? null! : [.. Enumerable.Repeat("v"u8.ToArray(), count)];
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await _client.Cache("cache").GetOrCreateBatchAsync(["a", "b"], (_, _) => ValueTask.FromResult(made)));
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await _client.Cache("cache").GetOrCreateBatchAsync(["a", "b"], (_, _) => ValueTask.FromResult<IReadOnlyList<byte[]>>(["v"u8.ToArray(), null!])));
        Assert.Equal([false, false], (await _client.Cache("cache").KeysExistAsync(["a", "b"])).Value);
    }

    [Fact]
    public async Task GetOrCreateBatch_returns_Uncached_values_if_the_read_fails()
    {
        await using CacheClient client = new(
            Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromMilliseconds(200) },
            CredentialProvider.Local(port: 1),
            TimeSpan.FromMinutes(1));
        IReadOnlyList<GetOrCreateResult<CacheValue>> answers = await Eventually.Within(client.Cache("cache").GetOrCreateBatchAsync(["a", "b"], MakeAsync));
        Assert.Equal(["a", "b"], answers.Select(static answer => Expect.Uncached(answer).Value.Text));
        Assert.Equal(["a,b"], _asked);
    }

    [Fact]
    public async Task GetOrCreateBatch_returns_Uncached_for_an_oversized_item()
    {
        IReadOnlyList<GetOrCreateResult<CacheValue>> answers = await Eventually.Within(
            _client.Cache("cache").GetOrCreateBatchAsync(
                ["a", "large"], (keys, _) => ValueTask.FromResult<IReadOnlyList<byte[]>>(["v"u8.ToArray(), new byte[6_000_000]])));
        bool isThere = (await _client.Cache("cache").KeyExistsAsync("a")).Value;
        Assert.Equal(isThere, answers[0] is { Source: GetOrCreateSource.Created });
        Expect.Uncached(answers[1]);
    }

    [Fact]
    public async Task GetOrCreateBatch_factory_exception_or_cancellation_affects_only_its_caller()
    {
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await _client.Cache("cache").GetOrCreateBatchAsync(["a"], (_, _) => throw new InvalidOperationException("no")));
        using CancellationTokenSource leaves = new();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await _client.Cache("cache").GetOrCreateBatchAsync(["a"], LeaveAsync, null, leaves.Token));
        Assert.Equal(["Created"], (await _client.Cache("cache").GetOrCreateBatchAsync(["a"], MakeAsync)).Select(static answer => $"{answer.Source}"));

        async ValueTask<IReadOnlyList<byte[]>> LeaveAsync(IReadOnlyList<CacheBytes> keys, CancellationToken cancelled)
        {
            await leaves.CancelAsync();
            await Task.Delay(Timeout.Infinite, cancelled);
            return [];
        }
    }

    private ValueTask<IReadOnlyList<byte[]>> MakeAsync(IReadOnlyList<CacheBytes> keys, CancellationToken cancelled)
    {
        string[] names = [.. keys.Select(static key => Encoding.UTF8.GetString(key.ToArray()))];
        _asked.Add(string.Join(',', names));
        return ValueTask.FromResult<IReadOnlyList<byte[]>>([.. names.Select(Encoding.UTF8.GetBytes)]);
    }
}
