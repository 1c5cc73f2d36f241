namespace Larder.Store;

/// <summary>
/// Controls how calls that take long behave on the calling thread. A thread that serves many connections uses <see cref="Short"/>. A worker sets its own
/// pace, which lets other work run between a call's steps. Without a pace a call runs to its end and waits for other calls if necessary.
/// </summary>
public abstract class CallPace
{
    /// <summary>
    /// The maximum estimated duration of calls at <see cref="Short"/>: 100 µs, in nanoseconds. A hundred short calls take about as long. So a call at the
    /// limit delays the other calls of its thread no more than a full message of short calls.
    /// </summary>
    public const long MaxShortNs = 100_000;

    [ThreadStatic]
    private static CallPace? t_current;

    /// <summary>
    /// Gets the pace for threads on which calls must neither wait nor take long. A call that would do so returns
    /// <see cref="Collections.CollectionOutcome.Deferred"/> or <see cref="SetOutcome.Deferred"/> before it changes or returns anything. Run it again on
    /// another thread.
    /// </summary>
    public static CallPace Short { get; } = new ShortPace();

    /// <summary>Gets or sets the pace of calls on the current thread; null for none.</summary>
    public static CallPace? Current
    {
        get => t_current;
        set => t_current = value;
    }

    /// <summary>Returns whether a call with this estimated duration must be deferred to another thread.</summary>
    /// <param name="estimateNs">The estimate in nanoseconds; see <see cref="CallCost"/>.</param>
    public static bool Defers(long estimateNs) => estimateNs > MaxShortNs && ReferenceEquals(t_current, Short);

    /// <summary>Called between the steps of a long call, without a lock. May block.</summary>
    /// <returns>False if the caller no longer waits for the result. A call that has changed nothing yet then ends.</returns>
    public abstract bool Step();

    /// <summary>Called while the call waits for another call on the same collection. May block for longer than requested.</summary>
    /// <param name="milliseconds">The time to wait in milliseconds; 0 only yields to other threads.</param>
    /// <returns>Same as for <see cref="Step"/>.</returns>
    public abstract bool Wait(int milliseconds);

    private sealed class ShortPace : CallPace
    {
        public override bool Step() => true;

        public override bool Wait(int milliseconds) => true;
    }
}
