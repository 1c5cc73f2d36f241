using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests the rate limit for log lines about a failing server. A client, its handles and all adapters that use it share one limit.</summary>
public sealed class FailureLogTests : IAsyncDisposable
{
    private readonly LogLines _log = new();
    private readonly ManualTime _time = new();
    private readonly FakeTransport _transport = new();

    public ValueTask DisposeAsync() => _transport.DisposeAsync();

    [Fact]
    public async Task Client_and_adapters_log_an_unreachable_server_once_per_interval()
    {
        await using CacheClient client = New();
        LarderDistributedCache distributed = new(
            client, new LarderDistributedCacheOptions { FailOpen = true }, _time, new LogLines<LarderDistributedCache>(_log));
        LarderOutputCacheStore pages = new(client, new LarderOutputCacheOptions(), _time, new LogLines<LarderOutputCacheStore>(_log));
        for (int i = 0; i < 100; i++)
        {
            await CreateAsync(client.Cache("cache"), i % 2 == 0 ? null : new GetOrCreateOptions());
            await CreateAsync(client.Cache("cache").WithTimeout(TimeSpan.FromSeconds(1)), null);
            await FailAsync(client.Cache("cache").GetOrCreateBatchAsync(["a"], static (_, _) => ValueTask.FromResult<IReadOnlyList<byte[]>>([[1]])).AsTask());
            await FailAsync(distributed.GetAsync("k"));
            await FailAsync(pages.GetAsync("k", default).AsTask());
        }

        Assert.Equal("NotCached", Assert.Single(Warnings).Event);
        _time.Advance(LogRateLimiter.FailureInterval - TimeSpan.FromTicks(1));
        await FailAsync(distributed.GetAsync("k"));
        Assert.Single(Warnings);
        _time.Advance(TimeSpan.FromTicks(1));
        await FailAsync(distributed.GetAsync("k"));
        Assert.Equal(("FailedOpen", "501"), (Warnings.Last().Event, Warnings.Last().Fields("Calls")));
        Assert.Equal((102L, 100L), (distributed.FailedOpen, pages.FailedOpen));
    }

    [Fact]
    public async Task Failure_of_adapter_without_logger_does_not_suppress_client_log()
    {
        await using CacheClient client = New();
        LarderDistributedCache silent = new(client, new LarderDistributedCacheOptions { FailOpen = true }, _time);
        await FailAsync(silent.GetAsync("k"));
        Assert.Empty(Warnings);
        await CreateAsync(client.Cache("cache"), null);
        Assert.Equal("2", Assert.Single(Warnings).Fields("Calls"));
    }

    private IEnumerable<LogLine> Warnings => _log.Recorded.Where(static line => line.Level == LogLevel.Warning);

    private CacheClient New() => new(
        Configurations.Laptop.V1() with { MaxRetries = 0 }, CredentialProvider.Local(), TimeSpan.FromMinutes(1), _log, _time, _ => _transport);

    private async Task CreateAsync(Cache cache, GetOrCreateOptions? options)
    {
        Task<GetOrCreateResult<CacheValue>> call = options is null
            ? cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult("v"u8.ToArray())).AsTask()
            : cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult("v"u8.ToArray()), options).AsTask();
        await FailAsync(call);
        Expect.Uncached(await call);
    }

    private async Task FailAsync(Task call)
    {
        _transport.Fail(StatusCode.Unavailable);
        await call.WaitAsync(Eventually.Limit);
    }
}
