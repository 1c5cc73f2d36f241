using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// Divides the measurement into time slices and reports the latencies of each slice. A slice is the difference between two sums over all threads, so the slices
/// do not make counting a call more expensive. Two histograms are reused, so that ending a slice allocates almost nothing.
/// </summary>
internal sealed class LoadSlices(TimeSpan length, Action<LoadHistogram> addAll)
{
    /// <summary>The number of buckets per doubling of the latency. Bucket b begins at 2^(b / 4) µs.</summary>
    public const int BucketsPerDoubling = 4;

    /// <summary>The total number of buckets. The longest latency that <see cref="LoadHistogram"/> distinguishes, about 2^42 ns, is in bucket 128.</summary>
    private const int Buckets = 129;

    private readonly List<LoadSlice> _slices = [];
    private LoadHistogram _before = new();
    private LoadHistogram _now = new();

    /// <summary>Gets the slices so far.</summary>
    public IReadOnlyList<LoadSlice> All => _slices;

    /// <summary>Returns the bucket of a latency in µs. Latencies up to 1 µs are in bucket 0.</summary>
    public static int BucketOf(double us) => us <= 1 ? 0 : (int)Math.Floor(Math.Log2(us) * BucketsPerDoubling);

    /// <summary>Ends slices during the measurement. <see cref="Cut"/> ends the last slice when all calls have ended.</summary>
    public async Task RunAsync(long begun, TimeSpan measured)
    {
        for (TimeSpan end = length; end < measured; end += length)
        {
            TimeSpan left = end - Stopwatch.GetElapsedTime(begun);
            if (left > TimeSpan.Zero)
            {
                await Task.Delay(left).ConfigureAwait(false);
            }

            Cut(Stopwatch.GetElapsedTime(begun));
        }
    }

    /// <summary>Ends a slice at the given time since the start of the measurement.</summary>
    public void Cut(TimeSpan end)
    {
        _now.Clear();
        addAll(_now);
        long[] counts = new long[Buckets];
        foreach ((int index, long count) in _now.CountsSince(_before))
        {
            counts[BucketOf(LoadHistogram.ValueOf(index) / 1000.0)] += count;
        }

        // If the timer was late, the previous slice may have ended after the end of the measurement. The last slice must not end before the previous slice.
        end = _slices.Count > 0 && _slices[^1].End > end ? _slices[^1].End : end;
        _slices.Add(new LoadSlice(end, [.. counts.Select((count, bucket) => (bucket, count)).Where(pair => pair.count > 0)]));
        (_before, _now) = (_now, _before);
    }
}

/// <summary>A time slice of the measurement: its end, and the number of calls that ended in it, by latency bucket.</summary>
internal sealed record LoadSlice(TimeSpan End, IReadOnlyList<(int Bucket, long Count)> Cells);
