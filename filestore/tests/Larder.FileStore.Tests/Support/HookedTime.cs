namespace Larder.FileStore.Tests.Support;

/// <summary>A clock (the system clock by default) that runs <paramref name="action"/> when it is read while <paramref name="isTime"/> returns true.</summary>
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
