namespace Larder.Store;

/// <summary>
/// Controls how long-running calls behave on the calling thread. A thread that serves many connections uses <see cref="Short"/>. A worker thread sets its own
/// pace, which lets other work run between the steps of a call. Without a pace, a call runs until it has finished, and waits for other calls if necessary.
/// </summary>
public abstract class CallPace
{
    /// <summary>
    /// The maximum estimated duration of calls with the pace <see cref="Short"/>: 100 µs, in nanoseconds. This is about the duration of a hundred short calls.
    /// Therefore, a call with this duration delays the other calls of its thread no more than a message with a hundred short calls.
    /// </summary>
    public const long MaxShortNs = 100_000;

    [ThreadStatic]
    private static CallPace? t_current;

    /// <summary>
    /// Gets the pace for threads on which calls must neither wait nor run for a long time. A call that would have to wait, or whose estimated duration exceeds
    /// <see cref="MaxShortNs"/>, returns <see cref="Collections.CollectionOutcome.Deferred"/> or <see cref="SetOutcome.Deferred"/> before it changes or returns
    /// anything. The caller must then run the call on another thread.
    /// </summary>
    public static CallPace Short { get; } = new ShortPace();

    /// <summary>Gets or sets the pace of calls on the current thread; null if there is no pace.</summary>
    public static CallPace? Current
    {
        get => t_current;
        set => t_current = value;
    }

    /// <summary>Returns whether a call with this estimated duration must be deferred to another thread.</summary>
    /// <param name="estimateNs">The estimate in nanoseconds; see <see cref="CallCost"/>.</param>
    public static bool Defers(long estimateNs) => estimateNs > MaxShortNs && ReferenceEquals(t_current, Short);

    /// <summary>Lets other work run between two steps of a long-running call. May block. The caller must not hold a lock.</summary>
    /// <returns>False if the caller no longer waits for the result. In this case, the call ends unless it has already changed something.</returns>
    public abstract bool Step();

    /// <summary>Waits while another call uses the same collection. May block for longer than requested.</summary>
    /// <param name="milliseconds">The time to wait in milliseconds; 0 only yields to other threads.</param>
    /// <returns>The same as for <see cref="Step"/>.</returns>
    public abstract bool Wait(int milliseconds);

    private sealed class ShortPace : CallPace
    {
        public override bool Step() => true;

        public override bool Wait(int milliseconds) => true;
    }
}
