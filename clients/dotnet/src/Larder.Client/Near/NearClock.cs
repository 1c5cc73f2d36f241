namespace Larder.Client.Near;

/// <summary>
/// The clock for leases and copies. It never goes backwards, and it includes the time during which the machine sleeps (NEAR-21). Its origin is arbitrary.
/// </summary>
internal abstract class NearClock
{
    public abstract TimeSpan Now { get; }

    /// <summary>
    /// Returns a <see cref="BootClock"/> if that clock is available and the provider is the system's time provider, otherwise a <see cref="SuspendClock"/>.
    /// </summary>
    public static NearClock Of(TimeProvider provider) => provider == TimeProvider.System && BootClock.IsReadable ? new BootClock() : new SuspendClock(provider);
}
