using System.Diagnostics;
using Larder.Wire.Protobuf;

namespace Larder.Server.Metrics;

/// <summary>
/// Which keys are called most, and which calls take longest, by a sample of the calls: all of them on an idle server, about one in <see cref="MostGap"/> on a
/// busy one, so that it costs next to nothing (ADR-0083). Keys alone are kept, never values, and of a long key its beginning.
/// </summary>
internal sealed class CallSampler(TimeProvider time)
{
    /// <summary>The widest that samples are apart, in calls.</summary>
    public const int MostGap = 512;

    /// <summary>Keys that are told of, at most.</summary>
    public const int Told = 10;

    // Of what is kept beside them, so that a key that rises is met again before it is forgotten. Space-Saving is off by at most 1/128 of the calls.
    private const int HotSlots = 128;
    private const int SlowSlots = 16;

    // What the gaps aim at, in samples a second: some 0.2 us each.
    private const int WantedPerSecond = 1_000;

    // Samples between two looks at how fast they come.
    private const int LookEvery = 64;

    private readonly Lock _lock = new();
    private readonly SampleWindows<HotKeyTable> _hot = new(time, () => new HotKeyTable(HotSlots));
    private readonly SampleWindows<SlowKeyTable> _slow = new(time, () => new SlowKeyTable(SlowSlots));
    private readonly WatchedCalls _watched = new(time);
    private int _gap = 1;
    private int _untilLook = LookEvery;
    private long _lookedAt = time.GetTimestamp();

    /// <summary>How far apart samples are at present, in calls: 1 to <see cref="MostGap"/>.</summary>
    public int Gap => Volatile.Read(ref _gap);

    /// <summary>When a sampled call begins.</summary>
    public static long Now() => Stopwatch.GetTimestamp();

    /// <summary>Takes a call that was due. Dropped where another thread is at it: no call waits for a figure.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="call">The call's name.</param>
    /// <param name="request">Its request.</param>
    /// <param name="weight">How many calls it stands for.</param>
    /// <param name="startedAt">When it began (<see cref="Now"/>); 0 where its end is not known here.</param>
    public void Take(string cache, string call, ReadOnlySpan<byte> request, int weight, long startedAt)
    {
        TimeSpan? took = startedAt == 0 ? null : Stopwatch.GetElapsedTime(startedAt);
        if (!TryFindKey(request, call is "GetBatch" or "SetBatch", out ReadOnlySpan<byte> key) || !_lock.TryEnter())
        {
            return;
        }

        try
        {
            _hot.Present().Add(cache, key, weight);
            if (took is { } known)
            {
                _slow.Present().Add(cache, call, key, known);
            }

            if (_watched.IsWatched)
            {
                _watched.Add(cache, call, key, weight, took);
            }

            if (--_untilLook <= 0)
            {
                Look();
            }
        }
        finally
        {
            _lock.Exit();
        }
    }

    /// <summary>The keys called most in the last ten to twenty seconds, those most called first.</summary>
    public IReadOnlyList<HotKey> Hottest()
    {
        lock (_lock)
        {
            return HotKeyTable.Merge(_hot.Recent(), _hot.RecentTime(), Told);
        }
    }

    /// <summary>The sampled calls that took longest in the last ten to twenty seconds, the longest first; each key once.</summary>
    public IReadOnlyList<SlowKey> Slowest()
    {
        lock (_lock)
        {
            return SlowKeyTable.Merge(_slow.Recent(), Told);
        }
    }

    /// <summary>Sampled calls, oldest first: those after a number, of the last <see cref="WatchedCalls.Kept"/>. Who asks again and again misses few.</summary>
    public IReadOnlyList<SampledCall> After(long number, out long newest)
    {
        lock (_lock)
        {
            newest = _watched.Newest;
            return _watched.After(number);
        }
    }

    private void Look()
    {
        long now = time.GetTimestamp();
        double seconds = Math.Max(time.GetElapsedTime(_lookedAt, now).TotalSeconds, 1e-6);
        double wanted = _gap * (LookEvery / seconds) / WantedPerSecond;
        Volatile.Write(ref _gap, (int)Math.Clamp(Math.Ceiling(wanted), 1, MostGap));
        _lookedAt = now;
        _untilLook = LookEvery;
    }

    // Field 1 is the key of every call on one item; of a batch it is the first item, whose field 1 is its key; KeysExist repeats it.
    private static bool TryFindKey(ReadOnlySpan<byte> request, bool isBatch, out ReadOnlySpan<byte> key)
    {
        key = default;
        ProtoReader reader = new(request);
        bool isFound = reader.NextField() && reader.Is(1, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out key) && !key.IsEmpty;
        return isFound && (!isBatch || TryFindKey(key, isBatch: false, out key));
    }
}
