namespace Larder.Client;

/// <summary>A waiter for a permit. The object is also a node of the queue's linked list, so waiting does not allocate memory.</summary>
internal abstract class LimiterWaiter
{
    internal LimiterWaiter? NextWaiter { get; set; }

    internal LimiterWaiter? PreviousWaiter { get; set; }

    /// <summary>Gets or sets whether the waiter is in the queue. Changed only under the limiter's lock.</summary>
    internal bool IsWaiting { get; set; }

    /// <summary>
    /// Gets the current version of the waiter. The version changes when the object is reused, so that a late grant for the previous use has no effect.
    /// </summary>
    internal abstract long WaiterVersion { get; }

    /// <summary>
    /// Grants a permit. Called without the limiter's lock, on the thread that returned the permit or raised the limit. Must not run user code. Returns false if
    /// the waiter has ended and does not take the permit. The limiter then grants the permit to the next waiter.
    /// </summary>
    internal abstract bool TryGrant(long version);
}
