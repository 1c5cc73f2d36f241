using System.Buffers;
using System.Buffers.Binary;
using Larder.Store.Collections;
using Larder.Store.Snapshots;
using Larder.Store.Tests.Collections;

namespace Larder.Store.Tests.Snapshots;

/// <summary>S6: tests of files that have valid checksums, but contain numbers that no store writes.</summary>
public sealed class SnapshotExtremesTests : IDisposable
{
    // 9999-12-31T23:59:59.999Z, the last time that a DateTimeOffset can represent.
    private const long LastMs = 253_402_300_799_999;

    private readonly SnapshotPair _pair = new();

    public void Dispose() => _pair.Dispose();

    [Theory]
    [InlineData(LastMs + 1)]
    [InlineData(10 * LastMs)]
    [InlineData(long.MaxValue)]
    [InlineData(long.MinValue)]
    [InlineData(-62_135_596_800_001)]
    public void S6_Load_rejects_end_time_outside_supported_dates(long endedAtMs)
    {
        _pair.Before.Set("k", "v");
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(WithEnd(_pair.Write(), endedAtMs)));
    }

    [Fact]
    public void S6_Load_accepts_latest_supported_end_time()
    {
        _pair.Before.Set("k", "v");
        Assert.Equal(DateTimeOffset.FromUnixTimeMilliseconds(LastMs), _pair.Load(WithEnd(_pair.Write(), LastMs)).WrittenAt);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(10)]
    public void S6_Load_caps_stale_time_at_maximum(long factor)
    {
        long longest = _pair.After.Store.MaxTtlMs;
        long staleMs = factor == 0 ? long.MaxValue : factor * longest;
        byte[] snapshot = WithTail();
        BinaryPrimitives.WriteInt64LittleEndian(snapshot.AsSpan(FirstRecord(snapshot) + SnapshotRecord.Bytes + 1 + 1), staleMs);
        Seal(snapshot);
        Assert.Equal(1, _pair.Load(snapshot).Entries);
        _pair.After.Clock.AdvanceMs(StoreFixture.Hour + longest - 1_000);
        _pair.After.Store.Maintain();
        Assert.Equal(1, _pair.After.Store.GetStatistics().Entries);
        StaleSink sink = new(new ArrayBufferWriter<byte>());
        Assert.True(_pair.After.Cache.TryGetStale("t"u8, ref sink));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    public void S6_Load_rejects_negative_collection_size(long chargedBytes)
    {
        new CollectionFixture(_pair.Before).SetFields("d", "a=1");
        byte[] snapshot = _pair.Write();
        BinaryPrimitives.WriteInt64LittleEndian(snapshot.AsSpan(FirstRecord(snapshot) + SnapshotRecord.Bytes + 1), chargedBytes);
        Seal(snapshot);
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot));
    }

    [Theory]
    [InlineData(0, 2, 1)]
    [InlineData(1, 2, 0)]
    [InlineData(1, 0, 0)]
    [InlineData(3_000_000, 0, 0)]
    public void S6_Load_drops_collection_whose_key_is_too_long(int more, int elementBytes, int loaded)
    {
        _pair.Before.Set("k", "v");
        byte[] snapshot = _pair.Write();
        int cache = SnapshotRecord.Read(snapshot.AsSpan(FirstRecord(snapshot))).Cache;
        int keyBytes = _pair.After.Store.MaxItemBytes + more;

        // The piece has one empty element or no element.
        int valueBytes = SnapshotRecord.PieceBytes + elementBytes;
        byte[] record = new byte[SnapshotRecord.Bytes + keyBytes + valueBytes];
        new SnapshotRecord((byte)ItemType.List, SnapshotPart.First, 0, cache, keyBytes, valueBytes, LastMs).Write(record);
        SnapshotLoaded outcome = _pair.Load(WithEntries(snapshot, record));
        Assert.Equal((loaded, 1 - loaded), (outcome.Entries, outcome.Refused));
    }

    // Writes extreme values of 8 and 4 bytes at every position in the contents of the file's blocks. The file may be loaded or rejected. In both cases, the
    // store must work afterwards.
    [Fact]
    public void S6_Load_leaves_store_usable_for_extreme_values_in_any_field()
    {
        _pair.Before.Cache.SetWith("v"u8, "v"u8, StoreFixture.Hour, new ItemExtras([1], 1_000, 0, "etag"u8));
        WithTail();
        CollectionFixture collections = new(_pair.Before);
        collections.SetFields("d", "a=1", "b=2");
        collections.Push("l", ListEnd.Back, 0, "a", "b");
        collections.Put("z", "a:1", "b:2");
        collections.AddMembers("s", "a", "b");
        _pair.Before.Store.CreateCache("second", _pair.Before.Store.MinQuotaBytes);
        byte[] good = _pair.Write();
        long[] extremes = [long.MaxValue, long.MinValue, -1, 0, LastMs + 1, 1L << 62, int.MaxValue, int.MinValue, 1L << 32, 0x7F80_0000_7F80_0000];
        foreach ((int block, int length) in Blocks(good))
        {
            for (int at = block + SnapshotBlockHeader.Bytes; at < block + length; at++)
            {
                foreach (long extreme in extremes)
                {
                    LoadOrRefuse(Changed(good, at, Math.Min(sizeof(long), block + length - at), extreme));
                    LoadOrRefuse(Changed(good, at, Math.Min(sizeof(int), block + length - at), extreme));
                }
            }
        }
    }

    private void LoadOrRefuse(byte[] snapshot)
    {
        StoreFixture after = _pair.After;
        try
        {
            _pair.Load(snapshot);
        }
        catch (SnapshotException)
        {
            Assert.Equal(0, after.Store.GetStatistics().Entries);
        }

        StaleSink sink = new(new ArrayBufferWriter<byte>());
        after.Cache.TryGetStale("t"u8, ref sink);
        after.Cache.TryGetStale("v"u8, ref sink);
        foreach (string name in after.Store.CacheNames.Where(static name => name != "cache").ToArray())
        {
            after.Store.DeleteCache(name);
        }

        after.Store.FlushCache("cache");
        after.Set("after", "it");
        Assert.Equal("it", after.Get("after"));
        after.Store.FlushCache("cache");
        after.Store.Maintain();
    }

    private byte[] WithTail()
    {
        _pair.Before.Cache.SetWith("t"u8, "v"u8, StoreFixture.Hour, new ItemExtras([1, 2], 1_000, 0));
        return _pair.Write();
    }

    private static byte[] Changed(byte[] good, int at, int bytes, long number)
    {
        byte[] changed = [.. good];
        Span<byte> digits = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(digits, number);
        digits[..bytes].CopyTo(changed.AsSpan(at));
        Seal(changed);
        return changed;
    }

    private static byte[] WithEnd(byte[] snapshot, long endedAtMs)
    {
        BinaryPrimitives.WriteInt64LittleEndian(snapshot.AsSpan(snapshot.Length - sizeof(long)), endedAtMs);
        Seal(snapshot);
        return snapshot;
    }

    // Returns the file with its entries replaced by one block with one record.
    private static byte[] WithEntries(byte[] snapshot, byte[] record)
    {
        (int block, int length) = Blocks(snapshot)[0];
        SnapshotBlockHeader header = SnapshotBlockHeader.Read(snapshot.AsSpan(block)) with { PayloadBytes = record.Length, Records = 1 };
        byte[] entries = new byte[SnapshotBlockHeader.Bytes + record.Length];
        record.CopyTo(entries, SnapshotBlockHeader.Bytes);
        header.Seal(entries);
        return [.. snapshot[..block], .. entries, .. snapshot[(block + length)..]];
    }

    private static int FirstRecord(byte[] snapshot) => Blocks(snapshot)[0].At + SnapshotBlockHeader.Bytes;

    private static List<(int At, int Length)> Blocks(byte[] snapshot)
    {
        List<(int At, int Length)> blocks = [];
        for (int at = SnapshotHeader.Bytes; at < snapshot.Length; at += blocks[^1].Length)
        {
            blocks.Add((at, SnapshotBlockHeader.Bytes + SnapshotBlockHeader.Read(snapshot.AsSpan(at)).PayloadBytes));
        }

        return blocks;
    }

    private static void Seal(byte[] snapshot)
    {
        foreach ((int at, int length) in Blocks(snapshot))
        {
            SnapshotBlockHeader.Read(snapshot.AsSpan(at)).Seal(snapshot.AsSpan(at, length));
        }
    }
}
