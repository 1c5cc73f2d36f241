using System.Globalization;
using Larder.Store.Snapshots;

namespace Larder.Store.Tests.Snapshots;

/// <summary>Tests of snapshots that are written while other threads write to the store. They check that each restored value is permitted.</summary>
public sealed class SnapshotWhileBusyTests : IDisposable
{
    // The entries fill several blocks.
    private const int Entries = 20_000;
    private readonly SnapshotPair _pair = new(shards: 1);

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void Cache_flushed_or_deleted_during_snapshot_write_is_not_restored()
    {
        foreach (string name in (string[])["flushed", "deleted", "kept"])
        {
            _pair.Before.Store.CreateCache(name);
            Fill(_pair.Before.Store.Find(name)!, 0);
        }

        int written = 0;
        SnapshotLoaded loaded = WriteAndLoad(() =>
        {
            if (written++ == 8)
            {
                _pair.Before.Store.FlushCache("flushed");
                _pair.Before.Store.DeleteCache("deleted");
                _pair.Before.Store.Find("flushed")!.Set("after"u8, "the flush"u8, StoreFixture.Hour);

                // Maintenance reclaims the flushed spaces, so that their numbers are reused.
                _pair.Before.Store.Maintain();
                _pair.Before.Store.CreateCache("made");
                _pair.Before.Store.Find("made")!.Set("k"u8, "v"u8, StoreFixture.Hour);
            }
        });
        Assert.True(loaded.Flushed > 0);
        Assert.Equal(["cache", "flushed", "kept", "made"], _pair.After.Store.CacheNames);
        Cache flushed = _pair.After.Store.Find("flushed")!;
        Assert.DoesNotContain(Enumerable.Range(0, Entries), i => flushed.Contains(Key(i)));
        Assert.All(Enumerable.Range(0, Entries), i => Assert.True(_pair.After.Store.Find("kept")!.Contains(Key(i))));
    }

    [Fact]
    public void Snapshot_omits_flushed_entries_that_are_not_reclaimed_yet()
    {
        Fill(_pair.Before.Cache, 0);
        _pair.Before.Store.FlushCache("cache");
        _pair.Before.Set("k", "v");
        _pair.Before.Cache.Delete("k"u8);
        SnapshotLoaded loaded = _pair.Load(_pair.Write());
        Assert.Equal((0, 0), (loaded.Entries, loaded.Flushed));
    }

    [Fact]
    public void Snapshot_contains_unchanged_entries_when_index_is_resized_during_write()
    {
        Fill(_pair.Before.Cache, 0);
        int more = Entries;
        int written = 0;
        WriteAndLoad(() =>
        {
            // Adds twice as many entries and removes half of them, so that the index grows and segments are compacted. This runs on another thread, which would
            // block if the snapshot writer held a lock. On the same thread, it would not block, because locks are reentrant.
            if (written++ is 3 or 6)
            {
                Thread other = new(() =>
                {
                    for (int i = 0; i < 2 * Entries; i++)
                    {
                        _pair.Before.Cache.Set(Key(more + i), new byte[200], StoreFixture.Hour);
                        _pair.Before.Cache.Delete(i % 2 == 0 ? Key(more + i) : "none"u8);
                    }

                    more += 2 * Entries;
                    _pair.Before.Store.Maintain();
                });
                other.Start();
                Assert.True(other.Join(TimeSpan.FromSeconds(60)));
            }
        });
        Assert.All(Enumerable.Range(0, Entries), i => Assert.Equal(0, Number(_pair.After.Cache, i)));
    }

    [Theory]
    [InlineData(8)]
    [InlineData(1500)]
    public void Snapshot_with_concurrent_writers_restores_complete_current_entries(int valueBytes)
    {
        const int Keys = 2_000;
        long[] known = new long[Keys];
        long[] begun = new long[Keys];
        using CancellationTokenSource over = new();
        Thread[] writers = [.. Enumerable.Range(0, 2).Select(half => new Thread(() => SetNumbers(half, known, valueBytes, over.Token)))];
        Array.ForEach(writers, writer => writer.Start());
        SpinWait.SpinUntil(() => Array.TrueForAll(known, number => Volatile.Read(ref number) > 0), TimeSpan.FromSeconds(60));
        for (int round = 0; round < 20; round++)
        {
            for (int i = 0; i < Keys; i++)
            {
                begun[i] = Volatile.Read(ref known[i]);
            }

            byte[] snapshot = _pair.Write();
            using StoreFixture after = new();
            using MemoryStream stream = new(snapshot);
            SnapshotLoader.Load(after.Store, stream, CancellationToken.None);
            for (int i = 0; i < Keys; i++)
            {
                Assert.InRange(Number(after.Cache, i), begun[i], Volatile.Read(ref known[i]) + 1);
            }
        }

        over.Cancel();
        Array.ForEach(writers, writer => writer.Join());
    }

    [Fact]
    public void Cancelled_snapshot_write_stops_immediately()
    {
        Fill(_pair.Before.Cache, 0);
        using CancellationTokenSource cancelled = new();
        int written = 0;
        using HookedStream stream = new(() =>
        {
            if (written++ == 2)
            {
                cancelled.Cancel();
            }
        });
        Assert.Throws<OperationCanceledException>(() => SnapshotWriter.Write(_pair.Before.Store, stream, cancelled.Token));
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(stream.ToArray()));
    }

    private SnapshotLoaded WriteAndLoad(Action before)
    {
        using HookedStream stream = new(before);
        SnapshotWriter.Write(_pair.Before.Store, stream, CancellationToken.None);
        return _pair.Load(stream.ToArray());
    }

    // Each key has one writer, which writes increasing numbers. A value consists of repetitions of its number.
    private void SetNumbers(int half, long[] known, int valueBytes, CancellationToken over)
    {
        byte[] value = new byte[valueBytes];
        for (long number = 1; !over.IsCancellationRequested; number++)
        {
            for (int i = half; i < known.Length && !over.IsCancellationRequested; i += 2)
            {
                Fill(value, number);
                _pair.Before.Cache.Set(Key(i), value, StoreFixture.Hour);
                Volatile.Write(ref known[i], number);
                if (i % 97 == number % 97)
                {
                    _pair.Before.Cache.UpdateTtl(Key(i), TtlUpdate.OverwriteTo, StoreFixture.Hour / 2);
                }
            }
        }
    }

    private static void Fill(Cache cache, long number)
    {
        byte[] value = new byte[96];
        Fill(value, number);
        for (int i = 0; i < Entries; i++)
        {
            cache.Set(Key(i), value, StoreFixture.Hour);
        }
    }

    private static void Fill(Span<byte> value, long number)
    {
        for (; value.Length >= sizeof(long); value = value[sizeof(long)..])
        {
            BitConverter.TryWriteBytes(value, number);
        }
    }

    private static long Number(Cache cache, int i)
    {
        System.Buffers.ArrayBufferWriter<byte> found = new();
        Assert.True(cache.TryGet(Key(i), found));
        long number = BitConverter.ToInt64(found.WrittenSpan);
        for (ReadOnlySpan<byte> rest = found.WrittenSpan; rest.Length >= sizeof(long); rest = rest[sizeof(long)..])
        {
            Assert.Equal(number, BitConverter.ToInt64(rest));
        }

        return number;
    }

    private static byte[] Key(int i) => StoreFixture.Bytes(i.ToString(CultureInfo.InvariantCulture));
}
