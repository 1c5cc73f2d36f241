namespace Larder.Server.Metrics;

/// <summary>The latest sampled calls. They are recorded only while a client polls for them. The caller must synchronize access.</summary>
internal sealed class SampledCallLog(TimeProvider time)
{
    /// <summary>The maximum number of recorded calls. It is enough for a client that polls five times a second at 1,000 samples per second.</summary>
    public const int Kept = 256;

    // Recording stops if no client has polled for this time.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly Queue<SampledCall> _calls = new(Kept);
    private long _askedAt;
    private bool _isAsked;

    /// <summary>Gets the number of the newest recorded call; 0 if no call has been recorded.</summary>
    public long Newest { get; private set; }

    /// <summary>Gets whether a client is polling, so that calls must be recorded.</summary>
    public bool IsWatched => _isAsked && time.GetElapsedTime(_askedAt) < s_patience;

    /// <summary>Records a call and drops the oldest one if there are too many.</summary>
    public void Add(string cache, string call, ReadOnlySpan<byte> key, int weight, TimeSpan? took)
    {
        if (_calls.Count == Kept)
        {
            _calls.Dequeue();
        }

        byte[] kept = key[..Math.Min(key.Length, SampledKey.KeptBytes)].ToArray();
        _calls.Enqueue(new SampledCall(++Newest, time.GetUtcNow(), cache, call, kept, key.Length, weight, took?.TotalMicroseconds));
    }

    /// <summary>Returns the calls after the call with the given number, oldest first. Also keeps the recording active.</summary>
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
