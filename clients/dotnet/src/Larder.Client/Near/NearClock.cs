namespace Larder.Client.Near;

/// <summary>The time that leases and copies are counted by: it never goes back, and goes on while the machine sleeps (NEAR-21). From any beginning.</summary>
internal abstract class NearClock
{
    public abstract TimeSpan Now { get; }

    /// <summary>The system's clock of time since it began, where there is one and the provider is the system's.</summary>
    public static NearClock Of(TimeProvider provider) => provider == TimeProvider.System && BootClock.IsReadable ? new BootClock() : new LaterClock(provider);
}
