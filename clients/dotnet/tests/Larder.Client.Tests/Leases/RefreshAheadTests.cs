using System.Text;
using Larder.Client.Leases;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Leases;

/// <summary>Tests values that are refreshed before they expire, and TTLs computed from the values.</summary>
public sealed class RefreshAheadTests : IAsyncLifetime
{
    private static readonly GetOrCreateOptions Ahead = new() { Ttl = TimeSpan.FromMilliseconds(500), RefreshAheadFor = TimeSpan.FromMilliseconds(200) };

    private readonly ManualTime _serverTime = new();
    private RunningServer _server = null!;
    private CacheClient _client = null!;
    private int _made;

    public async Task InitializeAsync()
    {
        _server = await RunningServer.StartAsync(time: _serverTime);
        _client = _server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
    }

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Value_near_expiry_is_a_hit_and_refreshed_once()
    {
        await Ask("old");
        _serverTime.AdvanceMs(299);
        Expect.Hit(await Ask("none"));
        Assert.Equal(1, _made);
        _serverTime.AdvanceMs(2);
        TaskCompletionSource<byte[]> value = new(TaskCreationOptions.RunContinuationsAsynchronously);
        for (int i = 0; i < 10; i++)
        {
            GetOrCreateResult<CacheValue> answer = await _client.Cache("cache").GetOrCreateAsync("k", _ => Count(value.Task), Ahead);
            Assert.Equal("old", Expect.Hit(answer).Value.Text);
        }

        value.SetResult("new"u8.ToArray());
        while (await _client.Cache("cache").GetAsync("k") is not { IsHit: true, Value.Text: "new" })
        {
            await Task.Delay(10);
        }

        Assert.Equal(2, _made);
    }

    [Fact]
    public async Task Expired_value_is_recreated_before_it_is_returned()
    {
        await Ask("old");
        _serverTime.AdvanceMs(501);
        GetOrCreateResult<CacheValue> answer = await Ask("new");
        Assert.True(answer is { Source: GetOrCreateSource.Created }, answer.Error?.Message);
        Assert.Equal("new", answer.Value.Text);
    }

    [Fact]
    public async Task Regularly_requested_value_never_expires()
    {
        await Ask("0");

        // The server's clock advances in two steps, each longer than half the TTL. After a step of more than a second, the server would assume that it was
        // paused.
        for (int i = 1; i < 3; i++)
        {
            _serverTime.AdvanceMs(310);
            int before = _made;
            Expect.Hit(await Ask($"{i}"));
            await Eventually.Holds(() => Volatile.Read(ref _made) == before + 1, "it is made anew");
            while (await _client.Cache("cache").GetAsync("k") is not { IsHit: true })
            {
                await Task.Delay(10);
            }
        }
    }

    [Fact]
    public async Task RefreshAheadFor_over_half_the_ttl_is_rejected()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        foreach (GetOrCreateOptions options in (GetOrCreateOptions[])[
            new() { Ttl = TimeSpan.FromSeconds(10), RefreshAheadFor = TimeSpan.FromMilliseconds(5_001) },
            new() { RefreshAheadFor = TimeSpan.FromMilliseconds(30_001) },
            new() { RefreshAheadFor = TimeSpan.FromTicks(-1) },
            new() { RefreshAheadFor = TimeSpan.MaxValue }])
        {
            await Assert.ThrowsAsync<ArgumentException>(async () => await test.Cache.GetOrCreateAsync("k", _ => Count(Value("v")), options));
        }

        Assert.Equal(0, test.Transport.Count);
        Assert.Equal(0, _made);
    }

    [Fact]
    public async Task Background_refreshes_are_limited_to_32()
    {
        const int Keys = BackgroundLoads.Most * 10;
        for (int i = 0; i < Keys; i++)
        {
            await _client.Cache("cache").GetOrCreateAsync($"k{i}", _ => Count(Value("old")), Ahead);
        }

        _serverTime.AdvanceMs(350);
        TaskCompletionSource<byte[]> value = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _made = 0;
        for (int i = 0; i < Keys; i++)
        {
            Expect.Hit(await _client.Cache("cache").GetOrCreateAsync($"k{i}", _ => Count(value.Task), Ahead));
        }

        await Eventually.Holds(() => Volatile.Read(ref _made) == BackgroundLoads.Most, "as many as may be are made");
        value.SetResult("new"u8.ToArray());

        // The leases of the other keys were released. So the next caller of such a key creates the value.
        for (int i = 0; i < Keys; i++)
        {
            while ((await _client.Cache("cache").GetOrCreateAsync($"k{i}", _ => Count(value.Task), Ahead)).Value.Text != "new")
            {
                await Task.Delay(10);
            }
        }

        Assert.Equal(Keys, _made);
    }

    [Fact]
    public async Task TtlOf_overrides_the_ttl_unless_it_returns_null()
    {
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromHours(1), TtlOf = value => value.Length == 0 ? TimeSpan.FromSeconds(30) : null };
        await _client.Cache("cache").GetOrCreateAsync("none", _ => Count(Value("")), options);
        await _client.Cache("cache").GetOrCreateAsync("some", _ => Count(Value("v")), options);
        Assert.InRange(await LeftAsync("none"), TimeSpan.FromSeconds(29), TimeSpan.FromSeconds(30));
        Assert.InRange(await LeftAsync("some"), TimeSpan.FromMinutes(59), TimeSpan.FromHours(1));

        async Task<TimeSpan> LeftAsync(string key) => (await _client.Cache("cache").ItemGetTtlAsync(key)).Value;
    }

    [Fact]
    public async Task TtlOf_error_reaches_caller_and_releases_the_lease()
    {
        GetOrCreateOptions wrong = new() { Lease = TimeSpan.FromMinutes(10), TtlOf = _ => TimeSpan.Zero };
        await Assert.ThrowsAsync<ArgumentException>(async () => await _client.Cache("cache").GetOrCreateAsync("k", _ => Count(Value("v")), wrong));
        GetOrCreateOptions throws = wrong with { TtlOf = _ => throw new InvalidOperationException("no") };
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await _client.Cache("cache").GetOrCreateAsync("k", _ => Count(Value("v")), throws));
        Expect.Miss(await _client.Cache("cache").GetAsync("k"));
        GetOrCreateOptions right = wrong with { TtlOf = null };
        Expect.Created(await Eventually.Within(_client.Cache("cache").GetOrCreateAsync("k", _ => Count(Value("v")), right)));
    }

    private ValueTask<GetOrCreateResult<CacheValue>> Ask(string value) => _client.Cache("cache").GetOrCreateAsync("k", _ => Count(Value(value)), Ahead);

    private static Task<byte[]> Value(string text) => Task.FromResult(Encoding.UTF8.GetBytes(text));

    private async ValueTask<byte[]> Count(Task<byte[]> value)
    {
        Interlocked.Increment(ref _made);
        return await value;
    }
}
