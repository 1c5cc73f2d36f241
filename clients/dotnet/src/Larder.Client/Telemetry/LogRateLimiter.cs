using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>Counts events and allows one log line per interval, which reports the events since the line before it.</summary>
internal sealed class LogRateLimiter(TimeSpan interval, TimeProvider time)
{
    /// <summary>The interval for log lines about a failing server: an outage of an hour produces 360 lines, however many calls fail.</summary>
    public static readonly TimeSpan FailureInterval = TimeSpan.FromSeconds(10);

    private long _count;
    private long _reported;
    private long _nextLine = long.MinValue;

    /// <summary>Counts one event. Returns true if it is to be logged, with the number of events since the last line.</summary>
    /// <param name="logger">The logger that receives the line. A disabled logger does not use up the interval, which several loggers may share.</param>
    /// <param name="events">The number of events since the last line, including this one.</param>
    public bool TryPass(ILogger logger, out long events)
    {
        long count = Interlocked.Increment(ref _count);
        events = 0;
        long now = time.GetTimestamp();
        long due = Interlocked.Read(ref _nextLine);
        if (now < due || !logger.IsEnabled(LogLevel.Warning))
        {
            return false;
        }

        long next = now + (long)(interval.TotalSeconds * time.TimestampFrequency);
        if (Interlocked.CompareExchange(ref _nextLine, next, due) != due)
        {
            return false;
        }

        count = Math.Max(count, Interlocked.Read(ref _count));
        events = count - Interlocked.Exchange(ref _reported, count);
        return true;
    }
}
