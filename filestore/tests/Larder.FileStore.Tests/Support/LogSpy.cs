using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Larder.FileStore.Tests.Support;

/// <summary>Keeps what was logged.</summary>
internal sealed class LogSpy : ILoggerFactory, ILogger
{
    internal ConcurrentQueue<(LogLevel Level, string Text)> Lines { get; } = [];

    internal int Warnings => Lines.Count(l => l.Level >= LogLevel.Warning);

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        Lines.Enqueue((logLevel, formatter(state, exception)));

    public void Dispose()
    {
        // Nothing is held.
    }
}
