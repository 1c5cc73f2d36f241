using System.Diagnostics;
using Larder.Harness;

namespace Larder.Store.Bench;

/// <summary>
/// Compares collections of 500, 1,000 and 1,000,000 elements with Redis over a Unix socket. Redis receives 100 commands per batch. Rates are measured on one
/// thread, alternately for the store and for Redis. Also measures the memory of the collections, and their effect on the latency of concurrent gets.
/// </summary>
internal static class CollectionTable
{
    private const int Turns = 5;

    // Batches of commands are prepared in advance. The batches for the largest collection contain every fifth element.
    private const int MaxBatches = 2000;

    // A dictionary of 500 small fields is close to the size limit of the packed form.
    private static readonly int[] s_sizes = [500, 1000, 1_000_000];
    private static readonly TimeSpan s_turn = TimeSpan.FromMilliseconds(200);

    public static void Print()
    {
        Array.ForEach(s_sizes, PrintRates);
        CollectionMemory.Print();
        CollectionNeighbour.Print();
    }

    private static void PrintRates(int elements)
    {
        // One shard, because a sixteenth of the memory is too small for the larger collections.
        using CacheStore store = new(new CacheStoreOptions { MaxMemoryBytes = 2L << 30, Shards = 1 });
        store.CreateCache("bench");
        var calls = new CollectionCalls(store.Find("bench")!, elements);
        using RedisSocket redis = new();
        calls.Fill(redis);
        Console.WriteLine();
        Console.WriteLine(
            $"## Collections of {elements:N0} elements, 16-byte names, {CollectionCalls.ValueBytes}-byte values; redis-server through a Unix socket, "
                + $"{RedisSocket.Pipeline} at once");
        Console.WriteLine();
        Console.WriteLine($"| call | Larder.Store, one thread | redis-server | ratio, median of {Turns} |");
        Console.WriteLine("|---|---|---|---|");
        Row(calls, redis, "field set", calls.SetField, calls.HashSet);
        Row(calls, redis, "field get", calls.GetField, calls.HashGet);
        Row(calls, redis, "list push and pop, in turn", calls.PushOrPop, CollectionCalls.ListPushOrPop);
        Row(calls, redis, "sorted set put", calls.Put, calls.SortedSetAdd);
        Row(calls, redis, "sorted set rank", calls.Rank, calls.SortedSetRank);
    }

    private static void Row(CollectionCalls calls, RedisSocket redis, string name, Action<long> call, Func<long, byte[]> command)
    {
        int batches = Math.Min(calls.Elements / RedisSocket.Pipeline, MaxBatches);
        byte[][] pipelined = [.. Enumerable.Range(0, batches).Select(i => RedisSocket.Pipelined(n => command((i * RedisSocket.Pipeline) + n)))];
        List<(double Larder, double Redis)> turns = [];
        for (int turn = 0; turn <= Turns; turn++)
        {
            int next = 0;
            double larder = PerSecond(() =>
            {
                int first = (next = (next + 1) % batches) * RedisSocket.Pipeline;
                for (int i = 0; i < RedisSocket.Pipeline; i++)
                {
                    call(first + i);
                }
            });
            double other = PerSecond(() => redis.Send(pipelined[next = (next + 1) % batches], RedisSocket.Pipeline));
            if (turn > 0)
            {
                turns.Add((larder, other));
            }
        }

        double ratio = Median.Of(turns.Select(turn => turn.Larder / turn.Redis));
        Console.WriteLine($"| {name} | {Median.Of(turns.Select(turn => turn.Larder)):N0} | {Median.Of(turns.Select(turn => turn.Redis)):N0} | {ratio:F2} |");
    }

    // One run is 100 calls.
    private static double PerSecond(Action run)
    {
        var watch = Stopwatch.StartNew();
        long calls = 0;
        for (; watch.Elapsed < s_turn; calls += RedisSocket.Pipeline)
        {
            run();
        }

        return calls / watch.Elapsed.TotalSeconds;
    }
}
