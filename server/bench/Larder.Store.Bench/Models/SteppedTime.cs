namespace Larder.Store.Bench;

/// <summary>A clock in whole milliseconds that is advanced manually. Its timers use the system clock.</summary>
internal sealed class SteppedTime : TimeProvider
{
    private long _ms;

    public long NowMs => Volatile.Read(ref _ms);

    public override long TimestampFrequency => 1000;

    public override long GetTimestamp() => NowMs;

    public void Advance(long ms) => Interlocked.Add(ref _ms, ms);
}
