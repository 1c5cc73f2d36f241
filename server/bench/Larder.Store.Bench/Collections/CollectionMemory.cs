namespace Larder.Store.Bench;

/// <summary>Compares the resident memory per element with that of Redis. Each case runs in its own process.</summary>
internal static class CollectionMemory
{
    // The number is large enough that the fixed costs of a process and of a memory chunk are negligible.
    private const int Total = 4_000_000;
    private const int Members = 1_000_000;
    private const int SmallValue = 8;
    private const int WarmUpCalls = 100_000;

    private delegate void Fill(CollectionCalls calls, byte[] key, long number);

    private delegate byte[] Command(CollectionCalls calls, string key, long number);

    private sealed record Row(string Name, int Elements, Fill Fill, Command Command);

    private static readonly Row[] s_rows =
    [
        new("dictionaries of 100 16-byte fields, 8-byte values", 100, (c, key, n) => c.SetField(key, n, SmallValue), (c, key, n) =>
            c.HashSet(key, n, SmallValue)),
        new("dictionaries of 500 16-byte fields, 8-byte values", 500, (c, key, n) => c.SetField(key, n, SmallValue), (c, key, n) =>
            c.HashSet(key, n, SmallValue)),
        new("dictionaries of 1,000 16-byte fields, 100-byte values", 1000, (c, key, n) => c.SetField(key, n, CollectionCalls.ValueBytes), (c, key, n) =>
            c.HashSet(key, n, CollectionCalls.ValueBytes)),
        new("lists of 100 16-byte elements", 100, (c, key, _) => c.Push(key, 16), (_, key, _) => CollectionCalls.ListPush(key, 16)),
        new("lists of 1,000 100-byte elements", 1000, (c, key, _) => c.Push(key), (_, key, _) => CollectionCalls.ListPush(key)),
        new("sets of 100 16-byte elements", 100, (c, key, n) => c.Add(key, n), (c, key, n) => c.SetAdd(key, n)),
        new("sets of 1,000 16-byte elements", 1000, (c, key, n) => c.Add(key, n), (c, key, n) => c.SetAdd(key, n)),
        new("sorted sets of 100 16-byte members", 100, (c, key, n) => c.Put(key, n), (c, key, n) => c.SortedSetAdd(key, n)),
        new("sorted sets of 1,000,000 16-byte members", Members, (c, key, n) => c.Put(key, n), (c, key, n) => c.SortedSetAdd(key, n)),
    ];

    public static void Print()
    {
        Console.WriteLine();
        Console.WriteLine($"## Memory of {Total:N0} elements in all, resident bytes an element");
        Console.WriteLine();
        Console.WriteLine("| what | Larder.Store | redis-server | ratio |");
        Console.WriteLine("|---|---|---|---|");
        for (int i = 0; i < s_rows.Length; i++)
        {
            double larder = BenchChild.Number(BenchChild.Run("child-collections", BenchChild.Text(i))[0]);
            double redis = OfRedis(s_rows[i]);
            Console.WriteLine($"| {s_rows[i].Name} | {larder:F1} | {redis:F1} | {larder / redis:F2} |");
        }
    }

    public static void RunChild(int row)
    {
        // One shard, because a sixteenth of the memory is too small for the largest collection.
        using CacheStore store = new(new CacheStoreOptions { MaxMemoryBytes = 2L << 30, Shards = 1 });
        store.CreateCache("bench");
        Row one = s_rows[row];
        var calls = new CollectionCalls(store.Find("bench")!, one.Elements);

        byte[] key = new byte[StoreContender.KeyBytes];

        // Warm up before the first reading. The runtime compiles each method in two tiers, which would otherwise increase the measured memory.
        WarmUp(one);
        double before = BenchChild.ResidentMiB(Environment.ProcessId);
        for (int i = 0; i < Total / one.Elements; i++)
        {
            StoreContender.FormatKey(i, key);
            for (int n = 0; n < one.Elements; n++)
            {
                one.Fill(calls, key, n);
            }
        }

        Console.WriteLine(BenchChild.Text((BenchChild.ResidentMiB(Environment.ProcessId) - before) * 1048576 / Total));
    }

    private static void WarmUp(Row row)
    {
        using CacheStore store = new(new CacheStoreOptions { MaxMemoryBytes = 16 << 20, Shards = 1 });
        store.CreateCache("bench");
        var calls = new CollectionCalls(store.Find("bench")!, row.Elements);
        for (int i = 0; i < WarmUpCalls; i++)
        {
            row.Fill(calls, [(byte)(i / row.Elements)], i % row.Elements);
        }

        GC.Collect();
    }

    private static double OfRedis(Row row)
    {
        using RedisSocket redis = new();
        var calls = new CollectionCalls(null!, row.Elements);
        double before = redis.ResidentMiB;
        for (int i = 0; i < Total; i += RedisSocket.Pipeline)
        {
            int first = i;
            redis.Send(
                RedisSocket.Pipelined(n => row.Command(calls, $"key:{(first + n) / row.Elements:D12}", (first + n) % row.Elements)),
                RedisSocket.Pipeline);
        }

        return (redis.ResidentMiB - before) * 1048576 / Total;
    }
}
