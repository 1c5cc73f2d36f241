namespace Larder.FileStore.Tests.Support;

/// <summary>
/// A clock with the time of another clock, by default the system clock. If <paramref name="isTime"/> returns true when the timestamp is read, this clock runs
/// <paramref name="action"/> before it returns the timestamp.
/// </summary>
internal sealed class HookedTime(Func<bool> isTime, Action action, TimeProvider? clock = null) : TimeProvider
{
    private readonly TimeProvider _clock = clock ?? System;

    public override long TimestampFrequency => _clock.TimestampFrequency;

    public override long GetTimestamp()
    {
        if (isTime())
        {
            action();
        }
        return _clock.GetTimestamp();
    }

    public override DateTimeOffset GetUtcNow() => _clock.GetUtcNow();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        _clock.CreateTimer(callback, state, dueTime, period);
}
