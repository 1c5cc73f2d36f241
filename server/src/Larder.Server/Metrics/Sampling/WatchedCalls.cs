namespace Larder.Server.Metrics;

/// <summary>The last sampled calls, kept for as long as somebody asks for them again and again. Its caller locks.</summary>
internal sealed class WatchedCalls(TimeProvider time)
{
    /// <summary>Calls that are kept: what a watcher that asks five times a second misses nothing of at 1,000 samples a second.</summary>
    public const int Kept = 256;

    // Nobody has asked for so long: nobody watches.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly Queue<SampledCall> _calls = new(Kept);
    private long _askedAt;
    private bool _isAsked;

    /// <summary>The number of the newest call that was kept; 0 before the first.</summary>
    public long Newest { get; private set; }

    /// <summary>Whether calls are worth keeping.</summary>
    public bool IsWatched => _isAsked && time.GetElapsedTime(_askedAt) < s_patience;

    /// <summary>Keeps a call, and forgets the oldest where there are too many.</summary>
    public void Add(string cache, string call, ReadOnlySpan<byte> key, int weight, TimeSpan? took)
    {
        if (_calls.Count == Kept)
        {
            _calls.Dequeue();
        }

        byte[] kept = key[..Math.Min(key.Length, SampledKey.KeptBytes)].ToArray();
        _calls.Enqueue(new SampledCall(++Newest, time.GetUtcNow(), cache, call, kept, key.Length, weight, took?.TotalMicroseconds));
    }

    /// <summary>The calls after a number, oldest first; from now on calls are kept.</summary>
    public IReadOnlyList<SampledCall> After(long number)
    {
        if (!IsWatched)
        {
            _calls.Clear();
        }

        _isAsked = true;
        _askedAt = time.GetTimestamp();
        return [.. _calls.Where(call => call.Number > number)];
    }
}
