using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests;

/// <summary>Tests that a request's ambient values (a trace, a logging scope) do not flow into background work that the request starts.</summary>
public sealed class BackgroundContextTests
{
    private static readonly AsyncLocal<string?> Request = new();

    public static TheoryData<string> Endpoints => ["pipeline", "unary", "near cache", "gateways"];

    [Theory]
    [MemberData(nameof(Endpoints))]
    public async Task Client_timers_do_not_capture_the_request_context(string kind)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ObservedTime time = new();
        Request.Value = "request";
        await using CacheClient client = New(kind, server.Port, time);
        Expect.Success(await client.Cache("cache").SetAsync("k", "v"));
        Expect.Hit(await client.Cache("cache").GetAsync("k"));
        Assert.Equal("request", Request.Value);
        Assert.NotEmpty(time.Timers);
        Assert.All(time.Timers, Assert.Null);
    }

    [Theory]
    [MemberData(nameof(Endpoints))]
    public async Task Connection_attempts_do_not_capture_the_request_context(string kind)
    {
        using Socket closed = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        ObservedTime time = new();
        Request.Value = "request";
        await using CacheClient client = New(kind, ((IPEndPoint)closed.LocalEndPoint!).Port, time);
        Expect.Error(await client.Cache("cache").GetAsync("k"));
        await Eventually.Holds(() => Failed().Count() > 2, "it tries again");
        Assert.All(time.Timers, Assert.Null);
        Assert.All(Failed(), static line => Assert.Null(line.Ambient));

        IEnumerable<(string Text, string? Ambient)> Failed() =>
            time.Lines.Where(static line => line.Text.StartsWith("Cannot connect", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Set_succeeds_while_execution_context_flow_is_suppressed()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CacheClient client;
        ValueTask<CacheResult> set;
        using (ExecutionContext.SuppressFlow())
        {
            client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
            set = client.Cache("cache").SetAsync("k", "v");
        }

        Expect.Success(await set);
        await client.DisposeAsync();
    }

    private static CacheClient New(string kind, int port, ObservedTime time)
    {
        Configuration configuration = Configurations.Laptop.V1() with
        {
            RequestTimeout = TimeSpan.FromSeconds(40),
            Transport = kind == "unary" ? Transport.Unary : Transport.Pipeline,
            NearCache = kind == "near cache" ? new NearCache { MaxBytes = 1 << 20 } : null,
            MaxRetries = 0,
        };
        string url = $"http://127.0.0.1:{port}";
        return new CacheClient(
            configuration,
            CredentialProvider.FromString(kind == "gateways" ? $"{url},http://localhost:{port}" : url),
            TimeSpan.FromMinutes(1),
            new LoggerFactory([new Provider(time)]),
            time);
    }

    /// <summary>
    /// A system clock that records the ambient value that flows into each timer. It is also a logger that records the ambient value at each log line.
    /// </summary>
    private sealed class ObservedTime : TimeProvider, ILogger
    {
        public ConcurrentQueue<string?> Timers { get; } = [];

        public ConcurrentQueue<(string Text, string? Ambient)> Lines { get; } = [];

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Timers.Enqueue(ExecutionContext.IsFlowSuppressed() ? null : Request.Value);
            return base.CreateTimer(callback, state, dueTime, period);
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Lines.Enqueue((formatter(state, exception), Request.Value));
    }

    private sealed class Provider(ILogger logger) : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => logger;

        public void Dispose()
        {
        }
    }
}
