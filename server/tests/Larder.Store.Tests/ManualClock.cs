namespace Larder.Store.Tests;

/// <summary>Time that moves only when told to; its wall clock and its timestamps move apart, as a changed system clock makes them.</summary>
internal sealed class ManualClock : TimeProvider
{
    private long _timestampMs = 1_000;
    private long _wallMs = 1_700_000_000_000;

    public override long TimestampFrequency => 1_000;

    /// <summary>Called whenever the time is asked for.</summary>
    public Action? Asked { get; set; }

    public override long GetTimestamp()
    {
        Asked?.Invoke();
        return Volatile.Read(ref _timestampMs);
    }

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.FromUnixTimeMilliseconds(Volatile.Read(ref _wallMs));

    // Background reclaim is called by the tests themselves.
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new NoTimer();

    public void Advance(TimeSpan by)
    {
        Interlocked.Add(ref _timestampMs, (long)by.TotalMilliseconds);
        Interlocked.Add(ref _wallMs, (long)by.TotalMilliseconds);
    }

    public void AdvanceMs(long by) => Advance(TimeSpan.FromMilliseconds(by));

    public void JumpWallClock(TimeSpan by) => Interlocked.Add(ref _wallMs, (long)by.TotalMilliseconds);

    private sealed class NoTimer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
