namespace Larder.Store.Bench;

/// <summary>Creates request sequences for the measurement of hit ratios. Their lengths depend on the number of objects that fit into the cache.</summary>
internal static class Traces
{
    private const int Universe = 10;

    public static IEnumerable<(string Name, int[] Keys)> All(int capacity, int length)
    {
        yield return ("Zipf 0.8", new Zipf(Universe * capacity, 0.8).Draw(length, 1));
        yield return ("Zipf 1.0", new Zipf(Universe * capacity, 1.0).Draw(length, 2));
        yield return ("30 % one-hit wonders", OneHitWonders(capacity, length));
        yield return ("Zipf + scans", Scans(capacity, length));
        yield return ("popularity shift", Shift(capacity, length));
        yield return ("loop 1.3 x", Loop(capacity, length));
        yield return ("recency", Recency(capacity, length));
    }

    private static int[] OneHitWonders(int capacity, int length)
    {
        var random = new Random(3);
        int[] keys = new Zipf(Universe * capacity, 1.0).Draw(length, 3);
        int fresh = Universe * capacity;
        for (int i = 0; i < length; i++)
        {
            if (random.NextDouble() < 0.3)
            {
                keys[i] = fresh++;
            }
        }

        return keys;
    }

    // A scan follows after every 5 * capacity requests with a Zipf distribution of 0.9. The scan requests capacity sequential keys that are never requested
    // again.
    private static int[] Scans(int capacity, int length)
    {
        int[] keys = new Zipf(5 * capacity, 0.9).Draw(length, 4);
        int fresh = Universe * capacity;
        for (int i = 0; i < length; i++)
        {
            if (i / capacity % 6 == 5)
            {
                keys[i] = fresh++;
            }
        }

        return keys;
    }

    // After every 10 * capacity requests, the popularity shifts by a third of the keys.
    private static int[] Shift(int capacity, int length)
    {
        int universe = Universe * capacity;
        int[] keys = new Zipf(universe, 1.0).Draw(length, 5);
        for (int i = 0; i < length; i++)
        {
            keys[i] = (int)((keys[i] + ((long)(i / (10 * capacity)) * universe / 3)) % universe);
        }

        return keys;
    }

    private static int[] Loop(int capacity, int length)
    {
        int[] keys = new int[length];
        for (int i = 0; i < length; i++)
        {
            keys[i] = i % (capacity * 13 / 10);
        }

        return keys;
    }

    // Seven of ten requests repeat one of the last 1.5 * capacity requests, preferably a recent one. The others request new keys.
    private static int[] Recency(int capacity, int length)
    {
        var random = new Random(7);
        int[] keys = new int[length];
        int fresh = 0;
        for (int i = 0; i < length; i++)
        {
            int back = 1 + (int)(1.5 * capacity * Math.Pow(random.NextDouble(), 2));
            keys[i] = back <= i && random.NextDouble() < 0.7 ? keys[i - back] : fresh++;
        }

        return keys;
    }
}
