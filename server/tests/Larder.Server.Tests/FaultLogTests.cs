using Larder.Harness.Clocks;
using Larder.Server.Metrics;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests;

public sealed class FaultLogTests : IDisposable
{
    private readonly ManualTime _time = new();
    private readonly Lines _lines = new();
    private readonly ServerMetrics _metrics = new([], []);
    private readonly FaultLog _log;

    public FaultLogTests() => _log = new FaultLog(_lines, _metrics, _time);

    [Theory]
    [InlineData(10, 10)]
    [InlineData(11, 10)]
    [InlineData(100, 10)]
    public void FaultLog_logs_ten_faults_and_counts_the_rest(int faults, int said)
    {
        Fail(faults);
        Assert.Equal(said, _lines.Texts.Count);
        Assert.Equal(faults - said, _metrics.LogLinesDropped);
    }

    public void Dispose() => _metrics.Dispose();

    [Fact]
    public void FaultLog_reports_suppressed_count_with_first_fault_of_next_second()
    {
        Fail(25);
        _time.Advance(TimeSpan.FromSeconds(1));
        Fail(2);
        Assert.Equal(12, _lines.Texts.Count);
        Assert.StartsWith("15 earlier errors", _lines.Texts[10], StringComparison.Ordinal);
        Assert.Equal(16, _metrics.LogLinesDropped);
    }

    private void Fail(int times)
    {
        for (int time = 0; time < times; time++)
        {
            _log.Say("/a.B/C", new InvalidOperationException("fault"));
        }
    }

    private sealed class Lines : ILogger
    {
        public List<string> Texts { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Texts.Add(formatter(state, exception));
    }
}
