namespace Larder.Client.Near;

/// <summary>The clock of leases and copies: it never goes back, and it continues while the machine sleeps (NEAR-21). Its origin is arbitrary.</summary>
internal abstract class NearClock
{
    public abstract TimeSpan Now { get; }

    /// <summary>Returns the clock of the time since boot if it is available and the provider is the system's, otherwise a <see cref="SuspendClock"/>.</summary>
    public static NearClock Of(TimeProvider provider) => provider == TimeProvider.System && BootClock.IsReadable ? new BootClock() : new SuspendClock(provider);
}
