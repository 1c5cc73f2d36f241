using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace Larder.Hostile;

/// <summary>A logger, a meter listener and an activity listener that throw an exception on every second call.</summary>
internal sealed class HostileListeners : ILoggerFactory, ILogger
{
    private readonly MeterListener _meters = new()
    {
        InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "Larder")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        },
    };
    private readonly ActivityListener _spans = new() { ShouldListenTo = static source => source.Name == "Larder" };
    private int _heard;

    public HostileListeners()
    {
        _meters.SetMeasurementEventCallback<double>((_, _, _, _) => ThrowOrNot());
        _meters.SetMeasurementEventCallback<long>((_, _, _, _) => ThrowOrNot());
        _meters.Start();
        _spans.Sample = (ref ActivityCreationOptions<ActivityContext> _) => { ThrowOrNot(); return ActivitySamplingResult.AllData; };
        _spans.ActivityStopped = _ => ThrowOrNot();
        ActivitySource.AddActivityListener(_spans);
    }

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel)
    {
        ThrowOrNot();
        return true;
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => ThrowOrNot();

    public void Dispose()
    {
        _meters.Dispose();
        _spans.Dispose();
    }

    private void ThrowOrNot()
    {
        if ((Interlocked.Increment(ref _heard) & 1) == 0)
        {
            throw new InvalidOperationException("a hostile listener");
        }
    }
}
