using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Support;

/// <summary>Records log events.</summary>
internal sealed class LogLines : ILogger
{
    private readonly ConcurrentQueue<LogLine> _told = new();

    public IEnumerable<LogLine> Recorded => _told;

    public IEnumerable<string> Lines => _told.Select(static line => line.Text);

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        _told.Enqueue(new LogLine(
            eventId.Name ?? "",
            logLevel,
            formatter(state, exception),
            state is IEnumerable<KeyValuePair<string, object?>> fields ? fields.ToDictionary() : new Dictionary<string, object?>()));
}

/// <summary>Records log events, as the logger of a category.</summary>
internal sealed class LogLines<T>(LogLines lines) : ILogger<T>
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        lines.Log(logLevel, eventId, state, exception, formatter);
}
