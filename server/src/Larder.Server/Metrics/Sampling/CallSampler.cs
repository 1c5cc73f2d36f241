using System.Diagnostics;
using Larder.Wire.Protobuf;

namespace Larder.Server.Metrics;

/// <summary>
/// Samples calls to find the most frequently used keys and the slowest calls. An idle server samples every call, a busy server about one in
/// <see cref="MaxInterval"/> calls (ADR-0083). The sampling interval adapts to the call rate within one second. The sampler stores keys but never values. It
/// stores only the beginning of a long key.
/// </summary>
internal sealed class CallSampler : IDisposable
{
    /// <summary>The maximum sampling interval, in calls.</summary>
    public const int MaxInterval = 512;

    /// <summary>The maximum number of keys in a report.</summary>
    public const int MaxReported = 10;

    // There are more slots than reported keys, so that a key with a rising rate is seen again before it is evicted. The error of Space-Saving is at most 1/128
    // of the calls.
    private const int HotSlots = 128;
    private const int SlowSlots = 16;

    // The target rate of samples per second. One sample takes about 0.2 µs.
    private const int WantedPerSecond = 1_000;

    // The number of samples between two adjustments of the interval.
    private const int AdjustEvery = 64;

    // The length of a window. The interval is computed from the calls of one window. A burst of calls increases the interval within its window. The interval
    // decreases only at the end of the next window.
    private static readonly TimeSpan s_window = TimeSpan.FromMilliseconds(250);

    // All samplers share this counter, so that an epoch also identifies its sampler.
    private static long s_lastEpoch;

    private readonly TimeProvider _time;
    private readonly Lock _lock = new();
    private readonly SampleWindows<HotKeyTable> _hot;
    private readonly SampleWindows<SlowKeyTable> _slow;
    private readonly SampledCallLog _watched;

    // The timer runs only while the interval is above 1, so that it does not wake up an idle server.
    private readonly ITimer _timer;
    private long _epoch = Interlocked.Increment(ref s_lastEpoch);
    private int _gap = 1;
    private int _widestGapOfEpoch = 1;
    private int _untilAdjust = AdjustEvery;
    private long _windowStart;
    private long _windowCalls;

    /// <param name="time">The clock.</param>
    public CallSampler(TimeProvider time)
    {
        _time = time;
        _hot = new(time, () => new HotKeyTable(HotSlots));
        _slow = new(time, () => new SlowKeyTable(SlowSlots));
        _watched = new(time);
        _windowStart = time.GetTimestamp();
        _timer = time.CreateTimer(_ => EndWindow(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets the average sampling interval in calls, from 1 to <see cref="MaxInterval"/>.</summary>
    public int Gap => Volatile.Read(ref _gap);

    /// <summary>
    /// Gets the current epoch, a number that changes when the existing countdowns are too long for the current call rate. It is unique among all samplers of
    /// the process.
    /// </summary>
    public long Epoch => Volatile.Read(ref _epoch);

    /// <summary>Returns the current time, which the caller passes as the start time of a sampled call.</summary>
    public static long Now() => Stopwatch.GetTimestamp();

    /// <summary>Records a sampled call. If another thread holds the lock, the sample is dropped, so that calls never wait for statistics.</summary>
    /// <param name="cache">The cache name.</param>
    /// <param name="call">The name of the call.</param>
    /// <param name="request">The encoded request.</param>
    /// <param name="weight">The number of calls that the sample represents.</param>
    /// <param name="startedAt">The start time (<see cref="Now"/>); 0 if the caller does not know when the call ends.</param>
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

            _windowCalls += weight;
            if (--_untilAdjust <= 0)
            {
                Adjust();
            }
        }
        finally
        {
            _lock.Exit();
        }
    }

    /// <summary>Returns the most frequently used keys of the last 10 to 20 s, in descending order.</summary>
    public IReadOnlyList<HotKey> Hottest()
    {
        lock (_lock)
        {
            return HotKeyTable.Merge(_hot.Recent(), _hot.RecentTime(), MaxReported);
        }
    }

    /// <summary>Returns the slowest sampled calls of the last 10 to 20 s, slowest first. Contains at most one call per key.</summary>
    public IReadOnlyList<SlowKey> Slowest()
    {
        lock (_lock)
        {
            return SlowKeyTable.Merge(_slow.Recent(), MaxReported);
        }
    }

    /// <summary>
    /// Returns the sampled calls after the call with the given number, oldest first. Only the last <see cref="SampledCallLog.Kept"/> calls are available. A
    /// caller that polls repeatedly misses few calls.
    /// </summary>
    public IReadOnlyList<SampledCall> After(long number, out long newest)
    {
        lock (_lock)
        {
            newest = _watched.Newest;
            return _watched.After(number);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    // At the end of a window, the interval is set for the rate of that window. Within a window it only increases, so that a short burst does not hide
    // later calls.
    private void Adjust()
    {
        _untilAdjust = AdjustEvery;
        long now = _time.GetTimestamp();
        TimeSpan age = _time.GetElapsedTime(_windowStart, now);
        if (age < s_window)
        {
            SetGap(Math.Max(_gap, GapFor(_windowCalls, s_window)));
            return;
        }

        StartWindow(now, age);
    }

    private void EndWindow()
    {
        lock (_lock)
        {
            long now = _time.GetTimestamp();
            TimeSpan age = _time.GetElapsedTime(_windowStart, now);

            // A window that has just begun is too short to estimate a rate, so the next tick processes it.
            if (age >= s_window / 2)
            {
                StartWindow(now, age);
            }
        }
    }

    private void StartWindow(long now, TimeSpan age)
    {
        int gap = GapFor(_windowCalls, age);
        _windowStart = now;
        _windowCalls = 0;
        SetGap(gap);
    }

    private void SetGap(int gap)
    {
        if (gap == _gap)
        {
            return;
        }

        if ((gap == 1) != (_gap == 1))
        {
            TimeSpan period = gap == 1 ? Timeout.InfiniteTimeSpan : s_window;
            _timer.Change(period, period);
        }

        Volatile.Write(ref _gap, gap);
        _widestGapOfEpoch = Math.Max(_widestGapOfEpoch, gap);
        if (2 * gap <= _widestGapOfEpoch)
        {
            _widestGapOfEpoch = gap;
            Volatile.Write(ref _epoch, Interlocked.Increment(ref s_lastEpoch));
        }
    }

    private static int GapFor(long calls, TimeSpan during) =>
        (int)Math.Clamp(Math.Ceiling(calls / during.TotalSeconds / WantedPerSecond), 1, MaxInterval);

    // In a request for one item, field 1 is the key. In a batch, field 1 is the first item, and field 1 of that item is the key. In KeysExist, field 1 is
    // repeated, and the first key is used.
    private static bool TryFindKey(ReadOnlySpan<byte> request, bool isBatch, out ReadOnlySpan<byte> key)
    {
        key = default;
        ProtoReader reader = new(request);
        bool isFound = reader.NextField() && reader.Is(1, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out key) && !key.IsEmpty;
        return isFound && (!isBatch || TryFindKey(key, isBatch: false, out key));
    }
}
