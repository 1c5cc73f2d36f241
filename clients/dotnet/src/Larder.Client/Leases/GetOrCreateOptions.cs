namespace Larder.Client;

/// <summary>
/// How <c>GetOrCreateAsync</c> loads and keeps a value, in addition to one load per key and client. Rules: <c>protocol/spec/get-or-set.md</c>.
/// </summary>
public sealed record GetOrCreateOptions
{
    private static readonly TimeSpan s_maxShortTtl = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Gets the time to live: greater than 0, and at most 365 days or the server's limit if that is lower. The default is null: the client's default time to
    /// live applies.
    /// </summary>
    public TimeSpan? Ttl { get; init; }

    /// <summary>
    /// Gets how long no other process loads the value, even if the loading process dies. One process loads a missing value; the others wait for it or use a
    /// stale value. Set it longer than a load takes: over 0, at most 10 minutes. The default is 30 s.
    /// </summary>
    public TimeSpan Lease { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets a function that computes the time to live from the value's bytes, for example a short one for a value that means "not found". If it returns null,
    /// <see cref="Ttl"/> applies. It is called once for each value that is stored. If it throws or returns an invalid time, the caller gets the exception and
    /// nothing is stored. The default is null: <see cref="Ttl"/> applies.
    /// </summary>
    public Func<ReadOnlyMemory<byte>, TimeSpan?>? TtlOf { get; init; }

    /// <summary>
    /// Gets how long before a value expires it is refreshed: callers get the value, and one caller of all processes loads a new one in the background, so that
    /// requested values do not expire. Other calls miss the value that much earlier. 0 to half the time to live, and the same for all callers of a key. The
    /// default is 0: never.
    /// </summary>
    public TimeSpan RefreshAheadFor { get; init; }

    /// <summary>
    /// Gets how long after its expiry a stale value is returned at once (<see cref="GetOrCreateSource.Stale"/>), while one caller of all processes loads a
    /// new one in the background. 0 to 365 days. The default is 0: never.
    /// </summary>
    public TimeSpan RevalidateFor { get; init; }

    /// <summary>
    /// Gets how long after its expiry a stale value is returned (<see cref="GetOrCreateSource.Stale"/>) if the factory throws. 0 to 365 days. The default is
    /// 0: never; the caller gets the exception.
    /// </summary>
    public TimeSpan FailSafeFor { get; init; }

    /// <summary>
    /// Gets how long callers wait for the factory if there is a stale value that <see cref="FailSafeFor"/> allows. Then they get the stale value
    /// (<see cref="GetOrCreateSource.Stale"/>); the factory continues, and its value is stored. Over 0, at most 10 minutes. The default is null: unlimited.
    /// </summary>
    public TimeSpan? SoftTimeout { get; init; }

    /// <summary>
    /// Gets how long the factory may take. Then its token is cancelled, its lease is released, and it counts as if it had thrown a
    /// <see cref="TimeoutException"/>. Over 0, at most 10 minutes. The default is null: unlimited.
    /// </summary>
    public TimeSpan? HardTimeout { get; init; }

    /// <summary>
    /// Gets the maximum part of the time to live that is subtracted at random, so that values loaded together do not expire together: 0 to 1. The default is 0.
    /// </summary>
    public double Jitter { get; init; }

    /// <summary>
    /// Gets the tags by which <see cref="Cache.RemoveByTagAsync"/> invalidates the item: at most 128, each of 1 to 1,024 bytes. The default is none.
    /// </summary>
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
            throw new ArgumentException($"{nameof(Jitter)} must be 0 to 1, but is {Jitter}.");
        }

        if (Arguments.CheckTags(Tags, isSome: false) is { } error)
        {
            throw new ArgumentException(error.Reason);
        }
    }

    private static void CheckShort(TimeSpan? time, string name)
    {
        if (time <= TimeSpan.Zero || time > s_maxShortTtl)
        {
            throw new ArgumentException($"{name} must be greater than 0 and at most {s_maxShortTtl.TotalMinutes} minutes.");
        }
    }

    private static void CheckStale(TimeSpan time, string name)
    {
        if (time < TimeSpan.Zero || time > Arguments.MaxTtl)
        {
            throw new ArgumentException($"{name} must be 0 to {Arguments.MaxTtl.TotalDays} days.");
        }
    }
}
