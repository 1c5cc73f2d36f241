using System.Diagnostics;
using Larder.Harness;

namespace Larder.Store.Bench;

/// <summary>
/// Measures the latency of scalar gets in two cases, which alternate. In the first case, the gets run alone. In the second case, another thread pushes to lists
/// and pops from them at full speed.
/// </summary>
internal static class CollectionNeighbour
{
    private const int Keys = 100_000;
    private const int Lists = 16;
    private const int ListElements = 1000;
    private const int Turns = 7;
    private const double MaxSlowdown = 1.5;

    // Long enough for a stable 99.9th percentile.
    private static readonly TimeSpan s_turn = TimeSpan.FromSeconds(1);

    public static void Print()
    {
        using LarderFilled filled = new(256L << 20);
        var calls = new CollectionCalls(filled.Cache, ListElements);
        FillStore(filled.Cache, calls);
        List<(double Alone, double Beside)> p999 = [];
        List<(double Alone, double Beside)> p50 = [];
        long pushes = 0;
        for (int turn = 0; turn <= Turns; turn++)
        {
            Latencies alone = Gets(filled.Cache, turn);
            Latencies beside;
            using (var pusher = new Pusher(filled.Cache))
            {
                beside = Gets(filled.Cache, turn);
                pushes += turn > 0 ? pusher.Stop() : 0;
            }

            if (turn > 0)
            {
                p999.Add((alone.PercentileUs(99.9), beside.PercentileUs(99.9)));
                p50.Add((alone.PercentileUs(50), beside.PercentileUs(50)));
            }
        }

        double ratio = Median.Of(p999.Select(pair => pair.Beside / pair.Alone));
        Console.WriteLine();
        Console.WriteLine(
            $"Gets of {Keys:N0} scalars on one thread, alone and beside one that pushes and pops on {Lists} lists of {ListElements:N0} as fast as it can "
                + $"({pushes / (Turns * s_turn.TotalSeconds):N0} a second): "
                + $"p50 {Median.Of(p50, one => one.Alone):F2} and {Median.Of(p50, one => one.Beside):F2} us, "
                + $"p99.9 {Median.Of(p999, one => one.Alone):F2} and {Median.Of(p999, one => one.Beside):F2} us: {ratio:F2} x, median of {Turns} "
                + $"(at most {MaxSlowdown} asked).");
    }

    private static void FillStore(Cache cache, CollectionCalls calls)
    {
        byte[] key = new byte[StoreContender.KeyBytes];
        byte[] value = new byte[CollectionCalls.ValueBytes];
        for (int i = 0; i < Keys; i++)
        {
            StoreContender.FormatKey(i, key);
            cache.Set(key, value, 3_600_000);
        }

        for (int i = 0; i < Lists * ListElements; i++)
        {
            calls.Push(ListKey(i % Lists));
        }
    }

    private static byte[] ListKey(int number) => [(byte)'l', (byte)number];

    private static Latencies Gets(Cache cache, int seed)
    {
        var latencies = new Latencies();
        var random = new Random(seed);
        byte[] key = new byte[StoreContender.KeyBytes];
        var sink = new CopySink(new byte[CollectionCalls.ValueBytes]);
        for (var watch = Stopwatch.StartNew(); watch.Elapsed < s_turn;)
        {
            StoreContender.FormatKey(random.Next(Keys), key);
            long from = Stopwatch.GetTimestamp();
            cache.TryGet(key, ref sink);
            latencies.Add(Stopwatch.GetTimestamp() - from);
        }

        return latencies;
    }

    /// <summary>Visits one list after another on a separate thread. Pushes an element to each list and pops one from it.</summary>
    private sealed class Pusher : IDisposable
    {
        private readonly Thread _thread;
        private volatile bool _stops;
        private long _done;

        public Pusher(Cache cache)
        {
            _thread = new Thread(() => Run(cache)) { IsBackground = true };
            _thread.Start();
        }

        public long Stop()
        {
            Dispose();
            return _done;
        }

        public void Dispose()
        {
            _stops = true;
            _thread.Join();
        }

        private void Run(Cache cache)
        {
            var calls = new CollectionCalls(cache, ListElements);
            byte[][] keys = [.. Enumerable.Range(0, Lists).Select(ListKey)];
            for (int next = 0; !_stops; next = (next + 1) % Lists)
            {
                calls.Push(keys[next]);
                calls.Pop(keys[next]);
                _done += 2;
            }
        }
    }
}
