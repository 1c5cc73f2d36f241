namespace Larder.Store.Bench;

/// <summary>The state that the threads of a round share.</summary>
internal sealed class StressShared(StressPlan plan, Cache cache, StressFailures failures)
{
    private readonly long[] _completed = new long[plan.Keys];
    private volatile long[]? _flushed;
    private volatile bool _stopped;

    public StressPlan Plan { get; } = plan;

    public Cache Cache { get; } = cache;

    public StressFailures Failures { get; } = failures;

    public bool Stopped => _stopped;

    /// <summary>For each key, the version of the last set that had returned before the last flush began; null before the first flush.</summary>
    public long[]? Flushed
    {
        get => _flushed;
        set => _flushed = value;
    }

    public void Stop() => _stopped = true;

    /// <summary>Returns the version of the key's last completed set. A set is completed when its call has returned.</summary>
    public long CompletedOf(int key) => Volatile.Read(ref _completed[key]);

    public void Complete(int key, long version) => Volatile.Write(ref _completed[key], version);

    public long[] Completed() => [.. Enumerable.Range(0, _completed.Length).Select(CompletedOf)];
}
