namespace Larder.Client;

/// <summary>
/// The options of <c>GetOrCreateAsync</c>: how a value is loaded and stored. Even without options, a client runs only one load per key at a time. The rules are
/// specified in <c>protocol/spec/get-or-set.md</c>.
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
    /// Gets the duration of the lease: greater than 0, at most 10 minutes. The process with the lease loads a missing value, and other processes wait for the
    /// value or use a stale value. If the loading process fails without releasing the lease, another process can load the value only after the lease has
    /// expired. The lease should be longer than a load takes. The default is 30 s.
    /// </summary>
    public TimeSpan Lease { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets a function that computes the time to live from the value's bytes, for example a short time to live for a value that means "not found". If the
    /// function returns null, <see cref="Ttl"/> applies. The function is called once for each created value. If it throws or returns an invalid time, the
    /// caller gets the exception and nothing is stored. The default is null: <see cref="Ttl"/> applies to all values.
    /// </summary>
    public Func<ReadOnlyMemory<byte>, TimeSpan?>? TtlOf { get; init; }

    /// <summary>
    /// Gets how long before its expiry a value is refreshed: 0 to half the time to live. During this time, callers of <c>GetOrCreateAsync</c> still get
    /// the value, and one caller among all processes loads a new value in the background. Values that are requested often therefore do not expire. Other calls,
    /// such as a get, return a miss during this time. All callers of a key must use the same setting. The default is 0: values are not refreshed before they
    /// expire.
    /// </summary>
    public TimeSpan RefreshAheadFor { get; init; }

    /// <summary>
    /// Gets how long after its expiry a stale value is returned without waiting (<see cref="GetOrCreateSource.Stale"/>): 0 to 365 days. Meanwhile, one caller
    /// among all processes loads a new value in the background. The default is 0: callers wait for the new value.
    /// </summary>
    public TimeSpan RevalidateFor { get; init; }

    /// <summary>
    /// Gets how long after its expiry a stale value is returned (<see cref="GetOrCreateSource.Stale"/>) if the factory throws: 0 to 365 days. The default is 0:
    /// the caller gets the factory's exception.
    /// </summary>
    public TimeSpan FailSafeFor { get; init; }

    /// <summary>
    /// Gets how long callers wait for the factory if there is a stale value that <see cref="FailSafeFor"/> permits: greater than 0, at most 10 minutes. After
    /// this time, the callers get the stale value (<see cref="GetOrCreateSource.Stale"/>), even if another process runs the factory. The factory continues in
    /// the background, and its value is stored. If 32 loads of the client already run in the background, the factory is cancelled instead. The default is null:
    /// the wait is unlimited.
    /// </summary>
    public TimeSpan? SoftTimeout { get; init; }

    /// <summary>
    /// Gets the maximum duration of the factory: greater than 0, at most 10 minutes. After this time, the token passed to the factory is cancelled, the lease
    /// is released, and the result is the same as if the factory had thrown a <see cref="TimeoutException"/>. The default is null: unlimited.
    /// </summary>
    public TimeSpan? HardTimeout { get; init; }

    /// <summary>
    /// Gets the maximum fraction of the time to live that is subtracted at random: 0 to 1. It prevents values that were loaded at the same time from expiring
    /// at the same time. The default is 0: nothing is subtracted.
    /// </summary>
    public double Jitter { get; init; }

    /// <summary>
    /// Gets the tags by which <see cref="Cache.RemoveByTagAsync"/> invalidates the item: at most 128 tags, each of 1 to 1,024 bytes. The default is an empty
    /// list.
    /// </summary>
    public IReadOnlyList<CacheBytes> Tags { get; init; } = [];

    internal TimeSpan LongestStale => RevalidateFor > FailSafeFor ? RevalidateFor : FailSafeFor;

    /// <exception cref="ArgumentException">A setting is out of its range. The exception contains the name of the setting.</exception>
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
