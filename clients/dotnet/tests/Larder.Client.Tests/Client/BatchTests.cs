using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

public sealed class BatchTests
{
    private const int Most = BatchParts.MaxMessageBytes;

    [Theory]
    [InlineData(Most, 1)]
    [InlineData(Most + 1, 2)]
    [InlineData(10 * Most, 10)]
    public void BATCH_9_parts_never_exceed_the_maximum_message_size(long bytes, int parts)
    {
        int[] items = [.. Enumerable.Repeat(Most / 4, (int)(bytes / (Most / 4))), .. bytes % (Most / 4) > 0 ? [(int)(bytes % (Most / 4))] : (int[])[]];
        List<ArraySegment<int>> runs = BatchParts.Of(items, static length => length);
        Assert.Equal(parts, runs.Count);
        Assert.Equal(items, runs.SelectMany(static run => run));
        Assert.All(runs, static run => Assert.InRange(run.Sum(), 0, Most));
    }

    [Fact]
    public void BATCH_9_oversized_item_gets_its_own_part()
    {
        Assert.Equal([1, 1, 1], BatchParts.Of([5, Most + 1, 5], static length => length).Select(static run => run.Count));
        Assert.Equal([0], BatchParts.Of(Array.Empty<int>(), static length => length).Select(static run => run.Count));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task BATCH_9_batch_of_18_MB_is_stored_and_read_in_order(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { Transport = transport, RequestTimeout = TimeSpan.FromSeconds(60) });
        SetBatchItem[] items = [.. Enumerable.Range(0, 9).Select(n => new SetBatchItem($"k{n}", Enumerable.Repeat((byte)n, 2_000_000).ToArray()))];
        CacheResult<IReadOnlyList<CacheResult>> stored = await Eventually.Within(client.Cache("cache").SetBatchAsync(items));
        Assert.All(Expect.Success(stored), static answer => Expect.Success(answer));
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> read =
            await Eventually.Within(client.Cache("cache").GetBatchAsync([.. items.Select(static item => item.Key), "none"]));
        IReadOnlyList<LookupResult<CacheValue>> answers = Expect.Success(read);
        Assert.Equal(Enumerable.Range(0, 9), answers.Where(static each => each.IsHit).Select(static hit => (int)hit.Value.ToArray()[^1]));
        Expect.Miss(answers[9]);
    }

    [Fact]
    public async Task BATCH_9_rejected_part_does_not_fail_other_parts()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(60) });
        // The middle key exceeds the message limit. So the client sends it as a separate part, which the server rejects.
        await Eventually.Within(client.Cache("cache").SetAsync("a", "1"));
        CacheBytes[] keys = ["a", new byte[Most], "none"];
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> got = await Eventually.Within(client.Cache("cache").GetBatchAsync(keys));
        IReadOnlyList<LookupResult<CacheValue>> answers = Expect.Success(got);
        Expect.Hit(answers[0]);
        Expect.Error(answers[1]);
        Expect.Miss(answers[2]);
        Expect.Error(await Eventually.Within(client.Cache("cache").KeysExistAsync(keys)));
        Expect.Error(await Eventually.Within(client.Cache("cache").GetBatchAsync([new byte[Most]])));
        Assert.Equal(0, client.InFlight);
    }

    [Fact]
    public async Task Batch_that_fits_one_message_is_one_call()
    {
        await using TestClient test = new(Configurations.Laptop.V1() with { Transport = Transport.Unary });
        CacheBytes[] keys = [.. Enumerable.Range(0, 1_000).Select(static n => (CacheBytes)$"k{n}")];
        ValueTask<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> read = test.Cache.GetBatchAsync(keys);
        ValueTask<CacheResult<IReadOnlyList<CacheResult>>> stored = test.Cache.SetBatchAsync([.. keys.Select(static key => new SetBatchItem(key, "v"))]);
        ValueTask<CacheResult<IReadOnlyList<bool>>> asked = test.Cache.KeysExistAsync(keys);
        Assert.Equal((3, 3), (test.Transport.Count, test.Client.InFlight));
        await test.DisposeAsync();
        Expect.Error(await Eventually.Within(read));
        Expect.Error(await Eventually.Within(stored));
        Expect.Error(await Eventually.Within(asked));
    }

    [Fact]
    public async Task Every_batch_item_is_checked_before_sending_the_first_part()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        CacheBytes[] keys = [.. Enumerable.Range(0, 4).Select(static _ => (CacheBytes)new byte[5_000_000]), ""];
        ValueTask<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> call = test.Cache.GetBatchAsync(keys);
        Assert.Equal(0, test.Transport.Count);
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await Eventually.Within(call)).Code);
    }

    [Fact]
    public async Task Changing_a_list_after_a_call_leaves_the_call_unchanged()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { MaxInFlightUnary = 1, MaxInFlightPipeline = 1 });
        for (int round = 0; round < 100; round++)
        {
            List<CacheBytes> keys = ["a", "b", "c"];
            ValueTask<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> call = client.Cache("cache").GetBatchAsync(keys);
            ValueTask<CacheResult<IReadOnlyList<bool>>> queued = client.Cache("cache").KeysExistAsync(keys);
            keys.Clear();
            keys.AddRange(Enumerable.Repeat((CacheBytes)new byte[100], 100));
            Assert.Equal(3, Expect.Success(await Eventually.Within(call)).Count);
            Assert.Equal(3, Expect.Success(await Eventually.Within(queued)).Count);
        }

        await Assert.ThrowsAsync<InvalidOperationException>(async () => await client.Cache("cache").GetBatchAsync(new Throwing()));
        Assert.Equal(0, client.InFlight);
    }

    [Fact]
    public async Task Batch_of_the_maximum_size_returns_all_results()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(60) });
        SetBatchItem[] items = [.. Enumerable.Repeat(new SetBatchItem("k", "v"), Arguments.MaxBatchItems)];
        CacheBytes[] keys = [.. Enumerable.Repeat((CacheBytes)"k", Arguments.MaxBatchItems)];
        CacheResult<IReadOnlyList<CacheResult>> stored = await Eventually.Within(client.Cache("cache").SetBatchAsync(items));
        Assert.Equal(items.Length, Expect.Success(stored).Count(static answer => answer.IsSuccess));
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> read = await Eventually.Within(client.Cache("cache").GetBatchAsync(keys));
        Assert.Equal(keys.Length, Expect.Success(read).Count(static answer => answer.IsHit));
        CacheResult<IReadOnlyList<bool>> exist = await Eventually.Within(client.Cache("cache").KeysExistAsync(keys));
        Assert.Equal(keys.Length, Expect.Success(exist).Count(static exists => exists));
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
    }

    [Theory]
    [InlineData(Arguments.MaxBatchItems + 1)]
    [InlineData(int.MaxValue)]
    public async Task Batch_over_maximum_is_rejected_after_reading_one_extra_item(int items)
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        CacheClient client = test.Client;
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> got =
            await Eventually.Within(Bounded((CacheBytes)"k", keys => client.Cache("cache").GetBatchAsync(keys)));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(got).Code);
        CacheResult<IReadOnlyList<bool>> exist = await Eventually.Within(Bounded((CacheBytes)"k", keys => client.Cache("cache").KeysExistAsync(keys)));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(exist).Code);
        CacheResult<IReadOnlyList<CacheResult>> set =
            await Eventually.Within(Bounded(new SetBatchItem("k", new byte[1_000]), all => client.Cache("cache").SetBatchAsync(all)));
        Assert.Contains("at most 1000000 items", Expect.Error(set).Message, StringComparison.Ordinal);
        Assert.Equal(0, test.Transport.Count);

        ValueTask<TResponse> Bounded<TItem, TResponse>(TItem item, Func<IReadOnlyList<TItem>, ValueTask<TResponse>> call)
        {
            Repeated<TItem> list = new(item, items);
            long before = GC.GetAllocatedBytesForCurrentThread();
            ValueTask<TResponse> answer = call(list);
            // The client copies the list into a buffer, and doubles the buffer when it is full. It stops after one item more than the limit, and copies the
            // items into an array.
            long most = 3L * (Arguments.MaxBatchItems + 1) * System.Runtime.CompilerServices.Unsafe.SizeOf<TItem>();
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, most);
            Assert.Equal(Arguments.MaxBatchItems + 1, list.Read);
            return answer;
        }
    }

    // A list whose enumerator returns the same item many times, and whose Count is wrong.
    private sealed class Repeated<T>(T item, int times) : IReadOnlyList<T>
    {
        public int Count => 3;

        public int Read { get; private set; }

        public T this[int index] => item;

        public IEnumerator<T> GetEnumerator()
        {
            while (Read < times)
            {
                Read++;
                yield return item;
            }
        }

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }

    private sealed class Throwing : IReadOnlyList<CacheBytes>
    {
        public int Count => 3;

        public CacheBytes this[int index] => throw new InvalidOperationException("hostile");

        public IEnumerator<CacheBytes> GetEnumerator() => throw new InvalidOperationException("hostile");

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
