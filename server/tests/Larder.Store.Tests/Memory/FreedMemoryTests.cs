using System.Buffers.Binary;

namespace Larder.Store.Tests;

/// <summary>
/// Tests with readers that keep reading a value while writers evict, overwrite and flush. Freed memory is overwritten, so that reads of it are detected.
/// </summary>
public sealed class FreedMemoryTests
{
    [Theory]
    [InlineData(1, 200, 600)]
    [InlineData(2, 4_000, 2_000)]
    [InlineData(4, 60, 100_000)]
    public async Task Concurrent_readers_never_see_freed_memory(int megabytes, int keys, int valueBytes)
    {
        using var fixture = new StoreFixture((long)megabytes << 20, shards: 1);
        using var stop = new CancellationTokenSource();
        Task<long>[] readers = [.. Enumerable.Range(0, 3).Select(seed => Run(() => Read(fixture, seed, keys, stop.Token)))];
        await Task.WhenAll(Enumerable.Range(0, 2).Select(seed => Run(() => Write(fixture, seed, keys, valueBytes))));
        await stop.CancelAsync();
        long[] hits = await Task.WhenAll(readers);
        Assert.True(hits.Sum() > 0, "the readers read something");
    }

    [Fact]
    public void Value_stays_readable_after_its_reader_causes_its_eviction()
    {
        using var fixture = new StoreFixture(1L << 20, shards: 1);
        byte[] value = new byte[1000];
        Array.Fill(value, (byte)7);
        fixture.Cache.Set("k"u8, value, StoreFixture.Hour);
        var sink = new OverwritingSink(fixture);
        Assert.True(fixture.Cache.TryGet("k"u8, ref sink));
        Assert.True(fixture.Cache.Contains("last"u8));
    }

    private static Task<long> Run(Func<long> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static long Read(StoreFixture fixture, int seed, int keys, CancellationToken stop)
    {
        var random = new Random(seed);
        byte[] key = new byte[4];
        long hits = 0;
        while (!stop.IsCancellationRequested)
        {
            BinaryPrimitives.WriteInt32LittleEndian(key, random.Next(keys));
            var sink = new LingeringSink(key, linger: random.Next(500) == 0);
            hits += fixture.Cache.TryGet(key, ref sink) ? 1 : 0;
        }

        return hits;
    }

    private static long Write(StoreFixture fixture, int seed, int keys, int valueBytes)
    {
        var random = new Random(100 + seed);
        byte[] key = new byte[4];
        byte[] value = new byte[valueBytes];
        long bytes = 0;
        for (int i = 0; bytes < 120L << 20 && i < 120_000; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(key, random.Next(keys));
            int length = 8 + random.Next(valueBytes - 8);
            LingeringSink.Fill(value.AsSpan(0, length), key, (byte)random.Next(256));
            fixture.Cache.Set(key, value.AsSpan(0, length), 1 + random.Next(100_000));
            bytes += length;
            if (random.Next(20_000) == 0)
            {
                fixture.Store.FlushCache("cache");
            }

            if (random.Next(100) == 0)
            {
                fixture.Clock.AdvanceMs(random.Next(1000));
            }
        }

        return bytes;
    }

    /// <summary>
    /// Checks a value, which consists of its key and one repeated byte. The value is checked twice. Between the checks, a writer has time to free the value.
    /// </summary>
    private readonly struct LingeringSink(byte[] key, bool linger) : IValueSink
    {
        public static void Fill(Span<byte> value, byte[] key, byte filler)
        {
            value.Fill(filler);
            key.CopyTo(value);
        }

        public void Accept(ReadOnlySpan<byte> value)
        {
            Check(value);
            if (linger)
            {
                Thread.Yield();
                Check(value);
            }
        }

        private void Check(ReadOnlySpan<byte> value)
        {
            Assert.True(value[..4].SequenceEqual(key), "the value belongs to another key");
            Assert.False(value[4..].ContainsAnyExcept(value[4]), "the value was overwritten under its reader");
        }
    }

    /// <summary>Writes other values during the read, until more than the whole memory has been written.</summary>
    private readonly struct OverwritingSink(StoreFixture fixture) : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value)
        {
            byte[] other = new byte[1000];
            fixture.Cache.Set("k"u8, other, StoreFixture.Hour);
            for (int i = 0; i < 700; i++)
            {
                fixture.Cache.Set(BitConverter.GetBytes(i), other, StoreFixture.Hour);
            }

            fixture.Cache.Set("last"u8, other, StoreFixture.Hour);
            Assert.False(value.ContainsAnyExcept((byte)7), "the value was overwritten under its reader");
        }
    }
}
