using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests;

public sealed class LarderServerTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Start_failure_names_occupied_port_and_logs_nothing(bool console)
    {
        using TcpListener taken = new(IPAddress.Loopback, 0);
        taken.Start();
        int port = ((IPEndPoint)taken.LocalEndpoint).Port;
        using Lines lines = new();
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddProvider(lines));
        ServerOptions options = new() { Port = console ? 0 : port, ConsolePort = console ? port : 0, MemoryBytes = 64L << 20 };
        ServerOptionsException error = await Assert.ThrowsAsync<ServerOptionsException>(() => LarderServer.StartAsync(options, loggers));
        Assert.Contains($"port {port}", error.Message, StringComparison.Ordinal);
        Assert.Empty(lines.Logged);
    }

    // 192.0.2.1 is reserved for documentation (RFC 5737), so no machine has this address.
    [Theory]
    [InlineData(false, "--host 192.0.2.1 does not belong to this machine; pass an address of this machine, or 0.0.0.0 for all its addresses")]
    [InlineData(true, "--console-host 192.0.2.1 does not belong to this machine; pass an address of this machine, or 0.0.0.0 for all its addresses")]
    public async Task Address_of_another_machine_is_rejected(bool console, string reason)
    {
        using Lines lines = new();
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddProvider(lines));
        IPAddress other = IPAddress.Parse("192.0.2.1");
        ServerOptions options = new()
        {
            Host = console ? IPAddress.Loopback : other,
            ConsoleHost = console ? other : IPAddress.Loopback,
            Port = 0,
            ConsolePort = 0,
            Token = "token",
            ConsoleToken = "token",
            MemoryBytes = 64L << 20,
        };
        Assert.Equal(reason, (await Assert.ThrowsAsync<ServerOptionsException>(() => LarderServer.StartAsync(options, loggers))).Message);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    public async Task Memory_limit_above_physical_memory_logs_a_warning(long beyond, bool warned)
    {
        using Lines lines = new();
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddProvider(lines));
        long machine = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        ServerOptions options = new() { Port = 0, ConsolePort = 0, MemoryBytes = machine + beyond };
        await using LarderServer server = await LarderServer.StartAsync(options, loggers);
        Assert.Equal(warned, lines.Logged.Any(line => line.Contains("--memory", StringComparison.Ordinal)));
    }

    private sealed class Lines : ILoggerProvider, ILogger
    {
        public List<string> Logged { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Logged.Add(formatter(state, exception));

        public void Dispose()
        {
        }
    }
}
