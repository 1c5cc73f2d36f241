namespace Larder.Store;

/// <summary>
/// What the calling thread allows a call to do when the call takes long. A thread that serves many connections sets <see cref="Short"/>; a worker sets a pace
/// of its own, which gives way to other work between a call's steps. Without a pace a call runs to its end, and waits for other calls where it must.
/// </summary>
public abstract class CallPace
{
    /// <summary>
    /// 100 µs, in nanoseconds: calls estimated to take longer do not run at <see cref="Short"/>. Some hundred short calls take as long, so a call at the bound
    /// delays the others on its thread no more than a full message of theirs does.
    /// </summary>
    public const long MaxShortNs = 100_000;

    [ThreadStatic]
    private static CallPace? t_current;

    /// <summary>
    /// Calls neither wait nor take long: one that would ends with <see cref="Collections.CollectionOutcome.Deferred"/> or <see cref="SetOutcome.Deferred"/>
    /// before it has changed or shown anything, to be run again by a thread that may.
    /// </summary>
    public static CallPace Short { get; } = new ShortPace();

    /// <summary>The pace of the calling thread's calls; null: there is none.</summary>
    public static CallPace? Current
    {
        get => t_current;
        set => t_current = value;
    }

    /// <summary>Whether a call estimated to take so long must be left to another thread.</summary>
    /// <param name="estimateNs">See <see cref="CallCost"/>.</param>
    public static bool Defers(long estimateNs) => estimateNs > MaxShortNs && ReferenceEquals(t_current, Short);

    /// <summary>Called between the steps of a long call, without a lock. It may block.</summary>
    /// <returns>False if nobody waits for the call's result any more; a call that has changed nothing yet then ends.</returns>
    public abstract bool Step();

    /// <summary>Called while the call waits for another one that uses the same collection. It may block for longer than asked.</summary>
    /// <param name="milliseconds">How long to wait; 0: give way to other threads only.</param>
    /// <returns>As <see cref="Step"/>.</returns>
    public abstract bool Wait(int milliseconds);

    private sealed class ShortPace : CallPace
    {
        public override bool Step() => true;

        public override bool Wait(int milliseconds) => true;
    }
}
