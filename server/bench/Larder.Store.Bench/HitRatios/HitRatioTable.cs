namespace Larder.Store.Bench;

/// <summary>Compares the hit ratios of the store with those of LRU, SIEVE and plain S3-FIFO. All have space for the same number of objects.</summary>
internal static class HitRatioTable
{
    private const long MaxMemoryBytes = 8 << 20;
    private const int Length = 2_000_000;

    public static void Print()
    {
        int capacity = StorePolicy.Capacity(MaxMemoryBytes);
        Console.WriteLine();
        Console.WriteLine(
            $"## Hit ratio, %: room for {capacity:N0} objects of 116 bytes ({MaxMemoryBytes >> 20} MiB), {Length:N0} requests, the first fifth not counted");
        Console.WriteLine();
        Console.WriteLine("| trace | Larder.Store | LRU | SIEVE | S3-FIFO | to the best |");
        Console.WriteLine("|---|---|---|---|---|---|");
        foreach ((string name, int[] keys) in Traces.All(capacity, Length))
        {
            using var store = new StorePolicy(MaxMemoryBytes);
            double ours = Replay(store, keys);
            double[] peers = [Replay(new LruPolicy(capacity), keys), Replay(new SievePolicy(capacity), keys), Replay(new S3FifoPolicy(capacity), keys)];
            Console.WriteLine($"| {name} | {ours:F2} | {peers[0]:F2} | {peers[1]:F2} | {peers[2]:F2} | {ours - peers.Max():+0.00;-0.00} |");
        }
    }

    private static double Replay(IPolicy policy, int[] keys)
    {
        int from = keys.Length / 5;
        int hits = 0;
        for (int i = 0; i < keys.Length; i++)
        {
            bool hit = policy.Request(keys[i]);
            hits += hit && i >= from ? 1 : 0;
        }

        return 100.0 * hits / (keys.Length - from);
    }
}
