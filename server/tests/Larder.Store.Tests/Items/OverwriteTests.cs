using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Larder.Store.Tests;

/// <summary>
/// Tests of values that are overwritten in place. The writers do not take the shard's lock, while other threads read, move, remove and expire the values.
/// </summary>
public sealed class OverwriteTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(EntryHeader.MaxCopiedValueBytes)]
    public void Overwrite_with_value_of_equal_length_adds_no_fragmentation(int valueBytes)
    {
        using var fixture = new StoreFixture();
        byte[] value = new byte[valueBytes];

        // The first overwrite makes the value overwritable in place.
        fixture.Cache.Set("k"u8, value, StoreFixture.Hour);
        fixture.Cache.Set("k"u8, value, StoreFixture.Hour);
        long idle = fixture.Store.GetStatistics().FragmentationBytes;
        for (int i = 0; i < 2000; i++)
        {
            Array.Fill(value, (byte)i);
            fixture.Cache.Set("k"u8, value, StoreFixture.Hour);
            fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, StoreFixture.Hour);
        }

        Assert.Equal(idle, fixture.Store.GetStatistics().FragmentationBytes);
        Assert.Equal(2002, fixture.Store.GetStatistics().Sets);
    }

    [Fact]
    public void Entry_is_rewritten_when_its_version_numbers_are_exhausted()
    {
        using var fixture = new StoreFixture();
        for (int i = 0; i < 5000; i++)
        {
            fixture.Set("k", $"value {i:D4}");
            Assert.Equal($"value {i:D4}", fixture.Get("k"));
            Assert.Equal(TtlUpdateOutcome.Set, fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, StoreFixture.Hour - i));
            Assert.True(fixture.Cache.TryGetTtl("k"u8, out long left));
            Assert.Equal(StoreFixture.Hour - i - 1, left);
        }

        Assert.Equal(1, fixture.Store.GetStatistics().Entries);
    }

    /// <summary>Tests keys whose length is stored in two places. One of these places also contains the number of hits.</summary>
    [Theory]
    [InlineData(131_071)]
    [InlineData(131_072)]
    [InlineData(5_000_000)]
    public void Long_keys_can_be_read_overwritten_and_deleted(int keyBytes)
    {
        using var fixture = new StoreFixture(64L << 20, shards: 1);
        byte[] key = new byte[keyBytes];
        byte[] shorter = new byte[keyBytes & 131_071];
        for (int i = 0; i < 5; i++)
        {
            fixture.Cache.Set(key, [(byte)i], StoreFixture.Hour);
            Assert.True(fixture.Cache.Contains(key));
            Assert.False(shorter.Length is > 0 and < 131_071 && fixture.Cache.Contains(shorter));
            var written = new ArrayBufferWriter<byte>();
            Assert.True(fixture.Cache.TryGet(key, written));
            Assert.Equal([(byte)i], written.WrittenSpan);
        }

        Assert.Equal(keyBytes + 1, fixture.Store.GetStatistics().Bytes);
        Assert.True(fixture.Cache.Delete(key));
        Assert.False(fixture.Cache.Contains(key));
        fixture.Store.AssertValid();
    }

    [Fact]
    public void Changed_TTL_of_entry_overwritten_in_place_is_honored()
    {
        using var fixture = new StoreFixture();
        fixture.Set("longer", "v", 1_000);
        fixture.Set("longer", "w", 100_000);
        fixture.Set("shorter", "v", 100_000);
        fixture.Set("shorter", "w", 1_000);
        fixture.Clock.AdvanceMs(2_000);
        fixture.Store.Maintain();
        Assert.Equal("w", fixture.Get("longer"));
        Assert.Equal((1, 1), (fixture.Store.GetStatistics().Entries, fixture.Store.GetStatistics().Evictions.Expired));
        fixture.Clock.AdvanceMs(98_000);
        fixture.Store.Maintain();
        Assert.Equal(0, fixture.Store.GetStatistics().Entries);
    }

    /// <summary>
    /// One writer per key writes increasing numbers as values of the same length. It sometimes changes the TTL, or deletes the key and starts again.
    /// </summary>
    [Theory]
    [InlineData(1, 3, 1000)]
    [InlineData(1, 200, 100)]
    [InlineData(2, 900, 1000)]
    public async Task Concurrent_reads_are_complete_and_never_older_than_previous_reads(int megabytes, int keys, int valueBytes)
    {
        using var fixture = new StoreFixture((long)megabytes << 20, shards: 1);
        using var stop = new CancellationTokenSource();
        Task[] readers = [.. Enumerable.Range(0, 2).Select(seed => Run(() => Read(fixture.Cache, seed, keys, stop.Token)))];
        Task mover = Run(() => Move(fixture, stop.Token));
        await Task.WhenAll(Enumerable.Range(0, 2).Select(half => Run(() => Write(fixture, half, keys, valueBytes))));
        await stop.CancelAsync();
        await Task.WhenAll([.. readers, mover]);
    }

    [Fact]
    public async Task Concurrent_compare_and_set_loses_no_update()
    {
        using var fixture = new StoreFixture();
        fixture.Cache.Set("sum"u8, new byte[8], StoreFixture.Hour);
        const int Additions = 20_000;
        await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Run(() =>
        {
            byte[] next = new byte[8];
            for (int done = 0; done < Additions;)
            {
                var sink = default(CounterSink);
                Assert.True(fixture.Cache.TryGet("sum"u8, ref sink));
                byte[] before = BitConverter.GetBytes(sink.Counter);
                BinaryPrimitives.WriteInt64LittleEndian(next, sink.Counter + 1);
                done += fixture.Cache.SetIf("sum"u8, next, StoreFixture.Hour, SetCondition.Equal(before)) ? 1 : 0;
            }
        })));
        var last = default(CounterSink);
        Assert.True(fixture.Cache.TryGet("sum"u8, ref last));
        Assert.Equal(3 * Additions, last.Counter);
        Assert.Equal((3 * Additions) + 1, fixture.Store.GetStatistics().Sets);
    }

    [Fact]
    public async Task Each_thread_reads_its_own_last_write()
    {
        using var fixture = new StoreFixture(1L << 20, shards: 1);
        await Task.WhenAll(Enumerable.Range(0, 3).Select(id => Run(() =>
        {
            // Each thread also has its own key, and must always read the value that it wrote last.
            byte[] own = [(byte)id];
            byte[] value = new byte[64];
            for (int i = 0; i < 100_000; i++)
            {
                MemoryMarshal.Cast<byte, long>(value.AsSpan()).Fill(i);
                fixture.Cache.Set(own, value, StoreFixture.Hour);
                fixture.Cache.Set("shared"u8, value, StoreFixture.Hour);
                var sink = default(CounterSink);
                Assert.True(fixture.Cache.TryGet(own, ref sink));
                Assert.Equal(i, sink.Counter);
                Assert.True(fixture.Cache.TryGet("shared"u8, ref sink));
            }
        })));
        Assert.Equal(4, fixture.Store.GetStatistics().Entries);
        Assert.Equal(600_000, fixture.Store.GetStatistics().Sets);
    }

    private static Task Run(Action work) => Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static void Read(Cache cache, int seed, int keys, CancellationToken stop)
    {
        var random = new Random(seed);
        long[] seen = new long[keys];
        byte[] key = new byte[4];
        while (!stop.IsCancellationRequested)
        {
            int index = random.Next(keys);
            BinaryPrimitives.WriteInt32LittleEndian(key, index);
            var sink = default(CounterSink);
            if (cache.TryGet(key, ref sink))
            {
                Assert.True(sink.Counter >= seen[index], $"The value went back from {seen[index]} to {sink.Counter}.");
                seen[index] = sink.Counter;
            }

            if (cache.TryGetTtl(key, out long left))
            {
                Assert.InRange(left, 0, StoreFixture.Hour);
            }
        }
    }

    private static void Write(StoreFixture fixture, int half, int keys, int valueBytes)
    {
        var random = new Random(10 + half);
        byte[] key = new byte[4];
        byte[] value = new byte[valueBytes / 8 * 8];
        for (int counter = 1; counter < 300_000; counter++)
        {
            int index = (random.Next((keys + 1 - half) / 2) * 2) + half;
            BinaryPrimitives.WriteInt32LittleEndian(key, index);
            int length = 8 + (index * 8 % (value.Length - 8));
            MemoryMarshal.Cast<byte, long>(value.AsSpan()).Fill(counter);
            switch (random.Next(100))
            {
                case 0:
                    fixture.Cache.Delete(key);
                    break;
                case 1:
                    fixture.Cache.UpdateTtl(key, TtlUpdate.OverwriteTo, 1 + random.Next(5_000));
                    break;
                case 2:
                    fixture.Clock.AdvanceMs(random.Next(20));
                    break;
                default:
                    fixture.Cache.Set(key, value.AsSpan(0, length), random.Next(2) == 0 ? StoreFixture.Hour : 1 + random.Next(5_000));
                    break;
            }
        }
    }

    // Writes other keys of all sizes, so that segments with overwritten values fill up, are emptied and are freed.
    private static void Move(StoreFixture fixture, CancellationToken stop)
    {
        var random = new Random(20);
        byte[] key = new byte[8];
        byte[] value = new byte[1500];
        while (!stop.IsCancellationRequested)
        {
            BinaryPrimitives.WriteInt64LittleEndian(key, -1 - random.Next(400));
            fixture.Cache.Set(key, value.AsSpan(0, random.Next(value.Length)), StoreFixture.Hour);
            if (random.Next(500) == 0)
            {
                fixture.Store.Maintain();
            }
        }
    }

    /// <summary>Reads a value that consists of repetitions of one number.</summary>
    private struct CounterSink : IValueSink
    {
        public long Counter { get; private set; }

        public void Accept(ReadOnlySpan<byte> value)
        {
            ReadOnlySpan<long> numbers = MemoryMarshal.Cast<byte, long>(value);
            Counter = numbers[0];
            Assert.False(numbers.ContainsAnyExcept(Counter), "the value is torn");
        }
    }
}
