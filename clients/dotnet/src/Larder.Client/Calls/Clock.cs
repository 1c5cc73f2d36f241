namespace Larder.Client.Calls;

/// <summary>A monotonic clock with its own tick length. Only differences between its times are meaningful.</summary>
internal sealed class Clock(TimeProvider provider)
{
    private readonly long _frequency = provider.TimestampFrequency;

    public TimeProvider Provider => provider;

    public long Now => provider.GetTimestamp();

    public long Ticks(TimeSpan span) => (long)Math.Round(span.TotalSeconds * _frequency);

    public TimeSpan Between(long from, long to) => provider.GetElapsedTime(from, to);

    public double Seconds(long from, long to) => (double)(to - from) / _frequency;

    /// <summary>
    /// Returns the number of milliseconds from one time to a later time, rounded up, at least 1. Used for the time that remains until a deadline.
    /// </summary>
    public uint MillisecondsUntil(long from, long to)
    {
        long milliseconds = (long)Math.Ceiling(Math.Max(0, to - from) * 1_000.0 / _frequency);
        return (uint)Math.Clamp(milliseconds, 1, uint.MaxValue);
    }
}
