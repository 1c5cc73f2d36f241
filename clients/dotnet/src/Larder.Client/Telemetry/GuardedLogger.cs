using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>Wraps the application's logger and catches its exceptions, so that they do not fail a call or end a background loop.</summary>
internal sealed class GuardedLogger(ILogger inner) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel)
    {
        bool isEnabled = false;
        UserCode.Run(() => isEnabled = inner.IsEnabled(logLevel));
        return isEnabled;
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        UserCode.Run(() => inner.Log(logLevel, eventId, state, exception, formatter));
}
