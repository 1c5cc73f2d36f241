using System.Diagnostics;
using System.Security.Cryptography;
using System.Text;
using Larder.Client.Calls;
using Larder.Client.Tests.Support;
using Larder.Wire;

namespace Larder.Client.Tests;

/// <summary>Tests token providers, over both transports, against a server with a token file.</summary>
public sealed class TokenTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();
    private int _asked;

    public void Dispose() => File.Delete(_path);

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task AUTH_30_provider_is_called_once_before_the_first_call(Transport transport)
    {
        Allow("token0");
        await using RunningServer server = await RunningServer.StartAsync(tokens: _path);
        await using CacheClient client = Connect(server, transport, () => $"token{_asked - 1}");
        Expect.Success(await client.ConnectAsync());
        for (int call = 0; call < 5; call++)
        {
            Expect.Success(await Eventually.Within(client.Cache("cache").SetAsync("k", "v")));
        }

        Assert.Equal(1, _asked);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task AUTH_31_calls_succeed_when_the_token_changes_under_load(Transport transport)
    {
        Allow("token0");
        string good = "token0";
        await using RunningServer server = await RunningServer.StartAsync(tokens: _path);
        await using CacheClient client = Connect(server, transport, () => Volatile.Read(ref good));
        using CancellationTokenSource stop = new(Eventually.Limit);
        long calls = 0;
        long sinceTheChange = 0;
        Task[] callers = [.. Enumerable.Range(0, 50).Select(_ => Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                CacheResult<long> response = await client.Cache("cache").IncrementAsync("n", 1);
                Assert.True(response.IsSuccess, response.Error?.Message);
                Interlocked.Increment(ref calls);
                if (Volatile.Read(ref _asked) > 1 && Interlocked.Increment(ref sinceTheChange) > 500)
                {
                    await stop.CancelAsync();
                }
            }
        }))];
        await Eventually.Holds(() => Volatile.Read(ref calls) > 500, "calls are answered");
        Volatile.Write(ref good, "token1");
        Allow("token1");
        await Task.WhenAll(callers);
        Assert.Equal(2, _asked);
        CacheValue sum = Expect.Hit(await Eventually.Within(client.Cache("cache").GetAsync("n")));
        Assert.Equal(calls.ToString(System.Globalization.CultureInfo.InvariantCulture), Encoding.UTF8.GetString(sum.Span));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task AUTH_31_repeated_rejections_fail_calls_and_throttle_the_provider(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync(token: "another");
        await using CacheClient client = Connect(server, transport, () => $"token{_asked}");
        long began = Stopwatch.GetTimestamp();
        // The calls cause fewer failed authentications than AUTH-16 permits. Otherwise, the server would block the address of this client.
        for (int call = 0; call < 12; call++)
        {
            CacheError error = ErrorOf(await Eventually.Within(client.Cache("cache").GetAsync("k")));
            Assert.Equal(CacheErrorCode.Unauthenticated, error.Code);
            Assert.DoesNotContain("token1", error.Message, StringComparison.Ordinal);
        }

        Assert.True(_asked <= 2 + Stopwatch.GetElapsedTime(began).TotalSeconds, $"asked {_asked} times");
    }

    [Fact]
    public async Task AUTH_31_call_is_retried_once_and_only_with_another_token()
    {
        await using CacheClient client = Fake(() => $"token{_asked}", out FakeTransport transport);
        Task<LookupResult<CacheValue>> call = client.Cache("cache").GetAsync("k").AsTask();
        await Eventually.Holds(() => transport.Count == 1, "the call is sent");
        transport.Fail(Refused(1));
        await Eventually.Holds(() => transport.Count == 1, "the call is sent again");
        transport.Fail(Refused(2));
        Assert.Equal(CacheErrorCode.Unauthenticated, ErrorOf(await call.WaitAsync(Eventually.Limit)).Code);
        Assert.Equal(2, _asked);
        Assert.Equal(0, client.InFlight);
    }

    [Fact]
    public async Task AUTH_31_call_is_not_retried_with_the_same_token()
    {
        await using CacheClient client = Fake(() => "same", out FakeTransport transport);
        Task<LookupResult<CacheValue>> call = client.Cache("cache").GetAsync("k").AsTask();
        await Eventually.Holds(() => transport.Count == 1, "the call is sent");
        transport.Fail(Refused(1));
        Assert.Equal(CacheErrorCode.Unauthenticated, ErrorOf(await call.WaitAsync(Eventually.Limit)).Code);
        Assert.Equal((0, 2), (transport.Count, _asked));
    }

    [Fact]
    public async Task AUTH_31_calls_complete_when_every_second_request_is_rejected()
    {
        await using CacheClient client = Fake(() => $"token{_asked}", out FakeTransport transport);
        int sent = 0;
        for (int number = 0; number < 20; number++)
        {
            Task<LookupResult<CacheValue>> call = client.Cache("cache").GetAsync("k").AsTask();
            while (!call.IsCompleted)
            {
                if (transport.Count == 0)
                {
                    await Task.Yield();
                }
                else if (sent++ % 2 == 1)
                {
                    transport.Fail(Refused(int.MaxValue));
                }
                else
                {
                    transport.Answer(TestClient.Missed);
                }
            }

            Assert.True(await call is { IsMiss: true } or { Error: { Code: CacheErrorCode.Unauthenticated } });
        }

        Assert.True(_asked < 20);
    }

    [Fact]
    public async Task AUTH_33_error_contains_provider_exception_but_not_its_message()
    {
        InvalidOperationException thrown = new("sesame");
        await using CacheClient client = Fake(() => throw thrown, out FakeTransport transport);
        CacheError error = ErrorOf(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.Equal(CacheErrorCode.Unauthenticated, error.Code);
        Assert.Same(thrown, error.Exception);
        Assert.Contains("the token provider threw InvalidOperationException", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("sesame", error.Message, StringComparison.Ordinal);
        Assert.Equal((0, 0), (transport.Count, client.InFlight));
    }

    [Fact]
    public async Task AUTH_32_calls_time_out_if_provider_hangs_and_disposal_cancels_them()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CredentialProvider credentials = CredentialProvider.Local(port: server.Port)
            .WithToken(TokenProvider.From(cancellationToken => new ValueTask<string>(Never(cancellationToken))));
        CacheClient client = new(Configurations.Laptop.V1(), credentials, TimeSpan.FromMinutes(1));
        CacheError late = ErrorOf(await Eventually.Within(client.Cache("cache").WithTimeout(TimeSpan.FromMilliseconds(50)).GetAsync("k")));
        Assert.Equal(CacheErrorCode.Timeout, late.Code);
        Assert.Contains("before the token provider returned", late.Message, StringComparison.Ordinal);
        Task<LookupResult<CacheValue>> waiting = client.Cache("cache").WithTimeout(Eventually.Limit).GetAsync("k").AsTask();
        await client.DisposeAsync();
        Assert.Equal(CacheErrorCode.Cancelled, ErrorOf(await waiting.WaitAsync(Eventually.Limit)).Code);
        Assert.Equal((0, 0), (client.InFlight, client.Connections));
    }

    [Fact]
    public void A1_token_and_provider_are_not_printed()
    {
        CredentialProvider credentials = CredentialProvider.FromString("http://a@one,http://b@two").WithToken(TokenProvider.From(() => "sesame"));
        Assert.DoesNotContain("sesame", credentials.ToString(), StringComparison.Ordinal);
        Assert.All(credentials.Gateways, static gateway => Assert.Equal("", gateway.Token));
        Assert.True(credentials.HasToken);
        Assert.Null(credentials.WithToken("").TokenProvider);
    }

    private static async Task<string> Never(CancellationToken cancellationToken)
    {
        await Task.Delay(Timeout.Infinite, cancellationToken);
        return "never";
    }

    private static Failure Refused(int shown) => new(StatusCode.Unauthenticated, "unknown token") { Shown = shown };

    private static CacheError ErrorOf(LookupResult<CacheValue> response) => Expect.Error(response);

    // Writes a token file that contains only this token.
    private void Allow(string token)
    {
        string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(token)));
        string text = $$"""{"tokens": [{"id": "test", "sha256": ["{{digest}}"], "grants": [{"role": "readwrite", "cache": "*"}]}]}""";
        File.WriteAllText(_path + ".new", text);
        File.Move(_path + ".new", _path, overwrite: true);
    }

    private TokenProvider Counted(Func<string> function) => TokenProvider.From(() =>
    {
        Interlocked.Increment(ref _asked);
        return function();
    });

    private CacheClient Connect(RunningServer server, Transport transport, Func<string> function) => new(
        Configurations.Laptop.V1() with { Transport = transport, RequestTimeout = TimeSpan.FromSeconds(30) },
        CredentialProvider.Local(port: server.Port).WithToken(Counted(function)),
        TimeSpan.FromMinutes(1));

    private CacheClient Fake(Func<string> function, out FakeTransport transport)
    {
        FakeTransport fake = transport = new();
        return new CacheClient(
            Configurations.Laptop.V1() with { RequestTimeout = Eventually.Limit },
            CredentialProvider.Local().WithToken(Counted(function)),
            TimeSpan.FromMinutes(1),
            Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance,
            TimeProvider.System,
            _ => fake);
    }
}
