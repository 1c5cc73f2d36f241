using System.Collections.Concurrent;
using System.Text;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests.Faults;

public sealed class ForeignBytesFaultTests
{
    private static readonly byte[] TlsHello = [0x16, 0x03, 0x01, 0x00, 0x2F, 0x01, 0x00, 0x00, 0x2B, 0x03, 0x03, .. new byte[41]];

    public static TheoryData<string, byte[]> Openings => new()
    {
        { "random bytes", RandomBytes() },
        { "HTTP/1.1", Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") },
        { "a TLS hello", TlsHello },
        { "the preface and then noise", [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. RandomBytes()] },
    };

    [Theory]
    [MemberData(nameof(Openings))]
    public async Task P1_foreign_protocol_bytes_close_only_their_own_connection(string name, byte[] bytes)
    {
        Assert.NotEmpty(name);
        await using RunningServer server = await RunningServer.StartAsync();
        await server.Channel.AssertServesAsync(calls: 1);
        using Http2Attacker attacker = await Http2Attacker.ConnectAsync(server.Server.Endpoint);
        await attacker.SendAsync(bytes);
        Assert.True(await attacker.WaitUntilClosedAsync());
        await server.Channel.AssertServesAsync();
    }

    [Fact]
    public async Task P1_a_thousand_foreign_connections_do_not_flood_the_log()
    {
        using CountingLogger log = new();
        ServerOptions options = new()
        {
            Port = 0,
            ConsolePort = 0,
            MemoryBytes = 64L << 20,
        };
        using ILoggerFactory loggers = LoggerFactory.Create(logging =>
            logging.SetMinimumLevel(LogLevel.Information).AddFilter("Microsoft", LogLevel.Warning).AddProvider(log));
        await using LarderServer server = await LarderServer.StartAsync(options, loggers);
        int before = log.Lines;
        for (int connection = 0; connection < 1_000; connection++)
        {
            using Http2Attacker attacker = await Http2Attacker.ConnectAsync(server.Endpoint);
            await attacker.SendAsync(RandomBytes());
        }

        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        await channel.AssertServesAsync();
        Assert.InRange(log.Lines - before, 0, 10);
    }

    private static byte[] RandomBytes()
    {
        byte[] bytes = new byte[4_096];
        new Random(42).NextBytes(bytes);
        return bytes;
    }

    private sealed class CountingLogger : ILoggerProvider, ILogger
    {
        private readonly ConcurrentQueue<string> _lines = new();

        public int Lines => _lines.Count;

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            _lines.Enqueue(formatter(state, exception));

        public void Dispose()
        {
        }
    }
}
