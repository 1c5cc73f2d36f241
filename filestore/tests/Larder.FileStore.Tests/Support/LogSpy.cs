using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Larder.FileStore.Tests.Support;

/// <summary>Records log messages.</summary>
internal sealed class LogSpy : ILoggerFactory, ILogger
{
    internal ConcurrentQueue<(LogLevel Level, string Text)> Lines { get; } = [];

    /// <summary>Called for each message.</summary>
    internal Action<string>? Heard { get; init; }

    internal int Warnings => Lines.Count(l => l.Level >= LogLevel.Warning);

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        string text = formatter(state, exception);
        Lines.Enqueue((logLevel, text));
        Heard?.Invoke(text);
    }

    public void Dispose()
    {
        // Nothing to dispose.
    }
}
