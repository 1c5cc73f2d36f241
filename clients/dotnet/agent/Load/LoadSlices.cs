using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// Cuts the measured time into slices and tells the latencies of each: the difference of two sums over all threads, so that counting a call costs nothing more.
/// Two histograms are used again and again, so that cutting allocates next to nothing.
/// </summary>
internal sealed class LoadSlices(TimeSpan length, Action<LoadHistogram> addAll)
{
    /// <summary>Buckets per doubling of the latency; bucket b begins at 2^(b / 4) µs.</summary>
    public const int BucketsPerDoubling = 4;

    /// <summary>Buckets in all: that of the longest latency told apart, 2^42 ns, is 128.</summary>
    private const int Buckets = 129;

    private readonly List<LoadSlice> _slices = [];
    private LoadHistogram _before = new();
    private LoadHistogram _now = new();

    /// <summary>The slices so far.</summary>
    public IReadOnlyList<LoadSlice> All => _slices;

    /// <summary>The bucket of a latency in µs. Up to 1 µs everything is in bucket 0.</summary>
    public static int BucketOf(double us) => us <= 1 ? 0 : (int)Math.Floor(Math.Log2(us) * BucketsPerDoubling);

    /// <summary>Cuts while the measured time lasts; the last slice is left to <see cref="Cut"/>, when all calls have ended.</summary>
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

    /// <summary>Ends a slice at this time since the measured time began.</summary>
    public void Cut(TimeSpan end)
    {
        _now.Clear();
        addAll(_now);
        long[] counts = new long[Buckets];
        foreach ((int index, long count) in _now.CountsSince(_before))
        {
            counts[BucketOf(LoadHistogram.ValueOf(index) / 1000.0)] += count;
        }

        // A cut on the clock that comes late may be past the end of the measured time, which the last is given.
        end = _slices.Count > 0 && _slices[^1].End > end ? _slices[^1].End : end;
        _slices.Add(new LoadSlice(end, [.. counts.Select((count, bucket) => (bucket, count)).Where(pair => pair.count > 0)]));
        (_before, _now) = (_now, _before);
    }
}

/// <summary>A piece of the measured time: when it ended, and the calls that ended in it by the bucket of their latency.</summary>
internal sealed record LoadSlice(TimeSpan End, IReadOnlyList<(int Bucket, long Count)> Cells);
