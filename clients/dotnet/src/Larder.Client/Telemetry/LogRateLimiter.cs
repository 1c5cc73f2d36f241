using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>Counts events and permits one log line per interval. Each line reports the number of events since the previous line.</summary>
internal sealed class LogRateLimiter(TimeSpan interval, TimeProvider time)
{
    /// <summary>
    /// The minimum interval between two log lines about a failing server. An outage of one hour produces at most 360 lines, regardless of the number of
    /// failed calls.
    /// </summary>
    public static readonly TimeSpan FailureInterval = TimeSpan.FromSeconds(10);

    private long _count;
    private long _reported;
    private long _nextLine = long.MinValue;

    /// <summary>Counts one event. Returns true if the caller must log a line now.</summary>
    /// <param name="logger">
    /// The logger that receives the line. If it is disabled, the method returns false and does not start a new interval, because another logger may share this
    /// limiter.
    /// </param>
    /// <param name="events">The number of events since the last line, including this event.</param>
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
