namespace Larder.Client;

/// <summary>Who waits for a permit. It is itself the queue's link, so that waiting allocates nothing.</summary>
internal abstract class LimiterWaiter
{
    internal LimiterWaiter? NextWaiter { get; set; }

    internal LimiterWaiter? PreviousWaiter { get; set; }

    /// <summary>True while in the queue. Changed under the limiter's lock only.</summary>
    internal bool IsWaiting { get; set; }

    /// <summary>Which life of a reused waiter it is: the grant goes to that life only.</summary>
    internal abstract long WaiterVersion { get; }

    /// <summary>
    /// The waiter may have a permit now. Called without the limiter's lock, on the thread that gave the permit back; must not run a caller's code.
    /// False where it has ended meanwhile and takes none: the permit goes to the next.
    /// </summary>
    internal abstract bool TryGrant(long version);
}
