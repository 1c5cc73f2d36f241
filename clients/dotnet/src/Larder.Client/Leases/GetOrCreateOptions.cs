namespace Larder.Client;

/// <summary>How a getOrCreate loads and keeps a value, beyond one load per key and client: <c>protocol/spec/get-or-set.md</c>.</summary>
public sealed record GetOrCreateOptions
{
    private static readonly TimeSpan s_mostShort = TimeSpan.FromMinutes(10);

    /// <summary>Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</summary>
    public TimeSpan? Ttl { get; init; }

    /// <summary>
    /// Of all processes one loads a missing value, and the others wait for it or take what is stale; for so long no other loads, also where the one that does
    /// has died. Longer than a load takes: over 0 and at most 10 minutes. Default: 30 s.
    /// </summary>
    public TimeSpan Lease { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The time to live that a value says of itself, in place of <see cref="Ttl"/>: short for what says that there is nothing, say. Null: <see cref="Ttl"/>.
    /// Called once for each value that is stored; what it throws, and an <see cref="ArgumentException"/> for a time that is none, is the caller's, and nothing
    /// is stored. Default: null, none.
    /// </summary>
    public Func<ReadOnlyMemory<byte>, TimeSpan?>? TtlOf { get; init; }

    /// <summary>
    /// For so long before the end of its time to live a value is answered while one caller of all makes it anew, in the background: what is asked for never
    /// runs out. To calls other than this one it is gone that much earlier. 0 to half the time to live; default: 0, none. The same for all who ask for a key.
    /// </summary>
    public TimeSpan RefreshAheadFor { get; init; }

    /// <summary>
    /// For so long past its time to live a value is answered at once (<see cref="GetOrCreateResponse.Stale"/>) while one caller of all loads it anew, in the
    /// background. 0 to 365 days; default: 0, none.
    /// </summary>
    public TimeSpan RevalidateFor { get; init; }

    /// <summary>
    /// For so long past its time to live a value is answered (<see cref="GetOrCreateResponse.Stale"/>) where its factory throws. 0 to 365 days; default: 0,
    /// none: the exception is the caller's.
    /// </summary>
    public TimeSpan FailSafeFor { get; init; }

    /// <summary>
    /// Where a value is there that <see cref="FailSafeFor"/> allows, and its factory takes longer than this, the value is answered
    /// (<see cref="GetOrCreateResponse.Stale"/>); the factory goes on, and what it makes is stored. Over 0 and at most 10 minutes; default: null, not.
    /// </summary>
    public TimeSpan? SoftTimeout { get; init; }

    /// <summary>
    /// A factory that takes longer than this is given up: its token is cancelled, its lease given back, and it counts as if it had thrown a
    /// <see cref="TimeoutException"/>. Over 0 and at most 10 minutes; default: null, it takes as long as it likes.
    /// </summary>
    public TimeSpan? HardTimeout { get; init; }

    /// <summary>
    /// The part of the time to live that is taken off at random, so that what was loaded together does not expire together: 0 to 1; default: 0.
    /// </summary>
    public double Jitter { get; init; }

    /// <summary>Tags by which the item is removed (<see cref="Cache.RemoveByTagAsync"/>): at most 128, each of 1 to 1,024 bytes. Default: none.</summary>
    public IReadOnlyList<CacheBytes> Tags { get; init; } = [];

    internal TimeSpan LongestStale => RevalidateFor > FailSafeFor ? RevalidateFor : FailSafeFor;

    /// <exception cref="ArgumentException">A setting is out of its range; the exception names it.</exception>
    internal void Check()
    {
        CheckShort(Lease, nameof(Lease));
        CheckShort(SoftTimeout, nameof(SoftTimeout));
        CheckShort(HardTimeout, nameof(HardTimeout));
        CheckStale(RevalidateFor, nameof(RevalidateFor));
        CheckStale(FailSafeFor, nameof(FailSafeFor));
        CheckStale(RefreshAheadFor, nameof(RefreshAheadFor));
        if (!(Jitter is >= 0 and <= 1))
        {
            throw new ArgumentException($"{nameof(Jitter)} is from 0 to 1.");
        }

        if (Arguments.CheckTags(Tags, isSome: false) is { } error)
        {
            throw new ArgumentException(error.Reason);
        }
    }

    private static void CheckShort(TimeSpan? time, string name)
    {
        if (time <= TimeSpan.Zero || time > s_mostShort)
        {
            throw new ArgumentException($"{name} is over 0 and at most {s_mostShort.TotalMinutes} minutes.");
        }
    }

    private static void CheckStale(TimeSpan time, string name)
    {
        if (time < TimeSpan.Zero || time > Arguments.MaxTtl)
        {
            throw new ArgumentException($"{name} is from 0 to {Arguments.MaxTtl.TotalDays} days.");
        }
    }
}
