using System.Collections.Concurrent;
using System.Net;
using Larder.Client.Calls;
using Larder.Client.Gateways;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Wire;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Gateways;

/// <summary>
/// Tests gateway selection, and the handling of gateways that fail and return. The clock is manual, the gateways are fake, and the random draws are seeded.
/// </summary>
public sealed class GatewaySetTests
{
    private static readonly Configuration Settings = Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromMinutes(1) };

    private readonly ManualTime _time = new();
    private readonly FakeGateway[] _gateways = [new FakeGateway(), new FakeGateway(), new FakeGateway()];
    private readonly Random _random = new(1);

    [Fact]
    public async Task GATEWAY_6_call_is_sent_to_the_less_loaded_gateway()
    {
        await using CacheClient client = Client(3);
        Connected(3);
        _gateways[1].Pretended = _gateways[2].Pretended = 5;
        for (int call = 0; call < 3_000; call++)
        {
            Expect.Miss(await client.Cache("cache").GetAsync("k"));
        }

        // Each draw selects two different gateways of three. So the fastest gateway is selected in two thirds of the draws.
        Assert.InRange(_gateways[0].Sent, 1_900, 2_100);
        Assert.InRange(_gateways[1].Sent, 400, 600);
        Assert.InRange(_gateways[2].Sent, 400, 600);
    }

    [Fact]
    public async Task GATEWAY_5_calls_skip_a_gateway_that_is_not_ready()
    {
        await using CacheClient client = Client(2);
        Connected(2);
        _gateways[0].IsReady = false;
        for (int call = 0; call < 100; call++)
        {
            Expect.Miss(await client.Cache("cache").GetAsync("k"));
        }

        Assert.Equal((0, 100), (_gateways[0].Sent, _gateways[1].Sent));
        Assert.Equal([true, false], client.Gateways.Select(static gateway => gateway.IsLeftOut));
    }

    [Fact]
    public async Task GATEWAY_7_retry_is_sent_to_another_gateway()
    {
        await using CacheClient client = Client(2);
        Connected(2);
        for (int call = 0; call < 20; call++)
        {
            _gateways[0].Answers = _gateways[1].Answers = false;
            ValueTask<LookupResult<CacheValue>> get = client.Cache("cache").GetAsync("k");
            FakeGateway first = Assert.Single(_gateways[..2], static gateway => gateway.InFlight == 1);
            first.FailAll(new Failure(StatusCode.Unavailable, "The connection was lost."));
            _gateways[0].Answers = _gateways[1].Answers = true;
            (int before, int sent) = (first.Sent, _gateways[0].Sent + _gateways[1].Sent);
            _time.Advance(TimeSpan.FromMilliseconds(100));
            Expect.Miss(await Eventually.Within(get));
            Assert.Equal((before, sent + 1), (first.Sent, _gateways[0].Sent + _gateways[1].Sent));
        }
    }

    [Fact]
    public async Task GATEWAY_8_removed_gateway_rejoins_after_background_reconnect()
    {
        await using CacheClient client = Client(2);
        Connected(2);
        _gateways[0].IsReady = false;
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        await Eventually.Holds(() => _gateways[0].Tries == 1, "the first try");
        _gateways[0].Refuse();
        await Advancing(() => _gateways[0].Tries == 2, "the second try");
        _gateways[0].Connect();
        for (int call = 0; call < 100; call++)
        {
            Expect.Miss(await client.Cache("cache").GetAsync("k"));
        }

        Assert.InRange(_gateways[0].Sent, 20, 80);
        Assert.Equal(0, _gateways[1].Tries);
    }

    [Fact]
    public async Task GATEWAY_9_rejecting_gateway_is_paused()
    {
        await using CacheClient client = Client(2);
        Connected(2);
        _gateways[1].Pretended = 1_000;
        _gateways[0].Answers = false;
        ValueTask<LookupResult<CacheValue>> refused = client.Cache("cache").GetAsync("k");
        _gateways[0].FailAll(new Failure(StatusCode.Unavailable, "No.") { Cause = RpcException.NotExecutedCause, NotProcessed = true });
        _gateways[0].Answers = true;
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        Assert.Equal((1, 1), (_gateways[0].Sent, _gateways[1].Sent));
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Expect.Miss(await Eventually.Within(refused));
        Assert.Equal((1, 2), (_gateways[0].Sent, _gateways[1].Sent));
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        Assert.Equal((2, 2), (_gateways[0].Sent, _gateways[1].Sent));
    }

    [Fact]
    public async Task GATEWAY_9_calls_are_sent_even_if_all_gateways_are_paused()
    {
        await using CacheClient client = Client(1);
        Connected(1);
        _gateways[0].Answers = false;
        ValueTask<LookupResult<CacheValue>> refused = client.Cache("cache").GetAsync("k");
        _gateways[0].FailAll(new Failure(StatusCode.Unavailable, "No.") { Cause = RpcException.NotExecutedCause, NotProcessed = true });
        _gateways[0].Answers = true;
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Expect.Miss(await Eventually.Within(refused));
    }

    [Fact]
    public async Task GATEWAY_9_retry_uses_another_gateway_even_if_all_are_paused()
    {
        await using CacheClient client = Client(2);
        Connected(2);

        // Both gateways refuse calls so often that they stay in back-off longer than the delay of a retry.
        for (int refusal = 0; refusal < 10; refusal++)
        {
            ValueTask<LookupResult<CacheValue>> one = RefusedBy(refusal % 2, client);
            _time.Advance(TimeSpan.FromSeconds(1));
            Expect.Miss(await Eventually.Within(one));
        }

        ValueTask<LookupResult<CacheValue>> first = RefusedBy(1, client);
        ValueTask<LookupResult<CacheValue>> second = RefusedBy(0, client);
        (int before, int beforeOther) = (_gateways[0].Sent, _gateways[1].Sent);

        // Gateway 1 has the lower load.
        _gateways[0].Pretended = 1_000;
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Expect.Miss(await Eventually.Within(first));
        Expect.Miss(await Eventually.Within(second));
        Assert.Equal((before + 1, beforeOther + 1), (_gateways[0].Sent, _gateways[1].Sent));
    }

    [Fact]
    public async Task GATEWAY_10_calls_wait_for_the_first_gateway_to_connect()
    {
        await using CacheClient client = Client(3);
        Task<LookupResult<CacheValue>>[] calls = [.. Enumerable.Range(0, 10).Select(_ => client.Cache("cache").GetAsync("k").AsTask())];
        await Eventually.Holds(() => _gateways.All(static gateway => gateway.Tries == 1), "a try of each");
        _gateways[0].Refuse();
        _gateways[1].Connect();
        Assert.All(await Task.WhenAll(calls).WaitAsync(Eventually.Limit), static answer => Expect.Miss(answer));
        Assert.Equal((0, 10, 0), (_gateways[0].Sent, _gateways[1].Sent, _gateways[2].Sent));
    }

    [Fact]
    public async Task GATEWAY_10_error_states_why_no_gateway_is_available()
    {
        await using CacheClient client = Client(2);
        Task<LookupResult<CacheValue>> call = client.Cache("cache").GetAsync("k").AsTask();
        await Advancing(() => call.IsCompleted, "an error", RefuseAll);
        CacheError error = Expect.Error(await call);
        Assert.Equal((CacheErrorCode.Unavailable, 0), (error.Code, error.Attempts));
        Assert.Contains("No gateway is available: The test refuses.", error.Message, StringComparison.Ordinal);

        // RETRY-9: after the grace period, the next call also fails, long before its deadline.
        Task<LookupResult<CacheValue>> next = client.Cache("cache").GetAsync("k").AsTask();
        await Advancing(() => next.IsCompleted, "the next error", RefuseAll);
        error = Expect.Error(await next);
        Assert.Equal((CacheErrorCode.Unavailable, 0), (error.Code, error.Attempts));
        Assert.True(error.Elapsed < TimeSpan.FromSeconds(30), error.Message);
    }

    [Fact]
    public async Task GATEWAY_10_token_rejected_by_all_gateways_fails_with_Unauthenticated()
    {
        await using CacheClient client = Client(2);
        Task<LookupResult<CacheValue>> call = client.Cache("cache").GetAsync("k").AsTask();
        await Eventually.Holds(() => _gateways[0].Tries == 1 && _gateways[1].Tries == 1, "a try of each");
        _gateways[0].Refuse(StatusCode.Unauthenticated);
        _gateways[1].Refuse(StatusCode.Unauthenticated);
        Assert.Equal(CacheErrorCode.Unauthenticated, Expect.Error(await call.WaitAsync(Eventually.Limit)).Code);
    }

    [Fact]
    public async Task GATEWAY_10_call_that_finds_no_gateway_frees_its_permit()
    {
        await using CacheClient client = Client(2);
        Task<LookupResult<CacheValue>> call = client.Cache("cache").WithTimeout(TimeSpan.FromMilliseconds(50)).GetAsync("k").AsTask();
        await Advancing(() => call.IsCompleted, "its end");
        Expect.Error(await call);
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
        client.Limiter.AssertValid();
    }

    [Fact]
    public async Task GATEWAY_11_resolved_addresses_become_gateways_and_removed_ones_close()
    {
        IPAddress[] now = [IPAddress.Parse("10.0.0.1"), IPAddress.Parse("10.0.0.2")];
        ConcurrentDictionary<string, FakeGateway> made = new();
        GatewaySetOptions options = Options(["http://localhost:7000"]) with
        {
            Connect = (_, at) => made.GetOrAdd(at?.ToString() ?? "by name", static _ => new FakeGateway { IsReady = true }),
            Resolve = (_, _) => Task.FromResult(Volatile.Read(ref now)),
            ResolvePause = TimeSpan.FromMilliseconds(1),
            ResolveEvery = TimeSpan.FromMilliseconds(1),
        };
        await using CacheClient client = Client(options);
        await Eventually.Holds(() => client.Gateways.Count == 2, "two gateways");
        Assert.Equal(["http://localhost:7000/ (10.0.0.1)", "http://localhost:7000/ (10.0.0.2)"], client.Gateways.Select(static gateway => gateway.Address));
        await Eventually.Holds(() => made["by name"].IsClosed, "what was reached by the name is closed");
        await Calls(client, 100);
        Assert.All([made["10.0.0.1"], made["10.0.0.2"]], static gateway => Assert.InRange(gateway.Sent, 20, 80));

        made["10.0.0.1"].Answers = false;
        made["10.0.0.1"].Pretended = -10;
        Task<LookupResult<CacheValue>> underWay = client.Cache("cache").GetAsync("k").AsTask();
        made["10.0.0.1"].Pretended = 0;
        Volatile.Write(ref now, [IPAddress.Parse("10.0.0.2"), IPAddress.Parse("10.0.0.3")]);
        await Eventually.Holds(
            () => made.ContainsKey("10.0.0.3") && client.Gateways[1].Address.Contains("10.0.0.3", StringComparison.Ordinal),
            "the new gateway");
        await Calls(client, 100);
        Assert.InRange(made["10.0.0.3"].Sent, 20, 80);
        Assert.False(made["10.0.0.1"].IsClosed);
        made["10.0.0.1"].AnswerAll();
        Expect.Miss(await underWay.WaitAsync(Eventually.Limit));
        await Eventually.Holds(() => made["10.0.0.1"].IsClosed, "the gateway that is gone is closed");
    }

    [Fact]
    public async Task GATEWAY_11_failed_name_resolution_keeps_the_gateways()
    {
        int asked = 0;
        GatewaySetOptions options = Options(["http://localhost:7000"]) with
        {
            Connect = static (_, _) => new FakeGateway { IsReady = true },
            Resolve = (_, _) => Interlocked.Increment(ref asked) == 1
                ? Task.FromResult<IPAddress[]>([IPAddress.Parse("10.0.0.1"), IPAddress.Parse("10.0.0.2")])
                : Task.FromException<IPAddress[]>(new System.Net.Sockets.SocketException(11)),
            ResolvePause = TimeSpan.FromMilliseconds(1),
            ResolveEvery = TimeSpan.FromMilliseconds(1),
        };
        await using CacheClient client = Client(options);
        await Eventually.Holds(() => Volatile.Read(ref asked) > 5, "some resolutions");
        Assert.Equal(2, client.Gateways.Count);
    }

    [Theory]
    [InlineData("http://127.0.0.1:7000", false)]
    [InlineData("http://[::1]:7000", false)]
    [InlineData("http://cache.example:7000", true)]
    [InlineData("http://127.0.0.1:7000,http://127.0.0.1:7001", true)]
    public async Task GATEWAY_4_single_ip_address_creates_no_gateway_set(string text, bool isSet)
    {
        await using CallRunner runner = Runner();
        CredentialProvider credentials = CredentialProvider.FromString(text);
        ITransport transport = TransportFactory.Create(Settings, credentials, runner, NullLogger.Instance);
        runner.Use(transport);
        Assert.Equal(isSet, transport is GatewaySet);
        Assert.Equal(credentials.Gateways.Count == 1, transport is PipelineTransport or GatewaySet { Only: PipelineTransport });
    }

    private async Task Advancing(Func<bool> condition, string what, Action? meanwhile = null) => await Eventually.Holds(
        () =>
        {
            if (condition())
            {
                return true;
            }

            meanwhile?.Invoke();
            _time.Advance(TimeSpan.FromMilliseconds(20));
            return false;
        },
        what);

    private void RefuseAll()
    {
        _gateways[0].Refuse();
        _gateways[1].Refuse();
    }

    private static async Task Calls(CacheClient client, int count)
    {
        for (int call = 0; call < count; call++)
        {
            Expect.Miss(await client.Cache("cache").GetAsync("k"));
        }
    }

    // Makes a call that is sent to the given gateway and not to the other one. The given gateway refuses the call.
    private ValueTask<LookupResult<CacheValue>> RefusedBy(int gateway, CacheClient client)
    {
        _gateways[1 - gateway].Pretended = 1_000;
        _gateways[gateway].Answers = false;
        ValueTask<LookupResult<CacheValue>> call = client.Cache("cache").GetAsync("k");
        _gateways[gateway].FailAll(new Failure(StatusCode.Unavailable, "No.") { Cause = RpcException.NotExecutedCause, NotProcessed = true });
        _gateways[gateway].Answers = true;
        _gateways[1 - gateway].Pretended = 0;
        return call;
    }

    private void Connected(int count) => Array.ForEach(_gateways[..count], static gateway => gateway.IsReady = true);

    private CacheClient Client(int count) => Client(Options([.. Enumerable.Range(0, count).Select(static gateway => $"http://10.0.0.{gateway}:7000")]));

    private CacheClient Client(GatewaySetOptions options) => new(
        Settings,
        CredentialProvider.Local(),
        TimeSpan.FromMinutes(1),
        NullLogger.Instance,
        _time,
        runner => new GatewaySet(options, runner, NullLogger.Instance));

    private GatewaySetOptions Options(string[] addresses)
    {
        GatewayAddress[] gateways = [.. addresses.Select(static address => CredentialProvider.FromString(address).Gateways[0])];
        return new GatewaySetOptions
        {
            Addresses = gateways,
            Connect = (gateway, _) => _gateways[Array.IndexOf(gateways, gateway)],
            LongestWait = TimeSpan.FromSeconds(1),
            CallTimeout = TimeSpan.FromMinutes(1),
            Random = Draw,
        };
    }

    private double Draw()
    {
        lock (_random)
        {
            return _random.NextDouble();
        }
    }

    private static CallRunner Runner()
    {
        Clock clock = new(TimeProvider.System);
        InFlightLimiter limiter = new(10, 10);
        Telemetry telemetry = new(limiter, clock, CredentialProvider.Local().Endpoint);
        return new CallRunner(Settings, limiter, clock, telemetry, Random.Shared.NextDouble, NullLogger.Instance);
    }
}
