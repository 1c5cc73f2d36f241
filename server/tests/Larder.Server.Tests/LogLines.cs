using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests;

/// <summary>Collects the log lines of a server in this process, each prefixed with its level.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    public ConcurrentQueue<string> All { get; } = new();

    /// <summary>Returns the lines of one level.</summary>
    public IReadOnlyList<string> Of(LogLevel level) => [.. All.Where(line => line.StartsWith($"{level}: ", StringComparison.Ordinal))];

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        All.Enqueue($"{logLevel}: {formatter(state, exception)}");

    public void Dispose()
    {
    }
}
