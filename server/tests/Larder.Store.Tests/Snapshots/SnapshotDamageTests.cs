using System.Buffers.Binary;
using Larder.Store.Collections;
using Larder.Store.Snapshots;
using Larder.Store.Tests.Collections;

namespace Larder.Store.Tests.Snapshots;

/// <summary>S6: tests that a damaged file is rejected, and that no part of it is loaded.</summary>
public sealed class SnapshotDamageTests : IDisposable
{
    private readonly SnapshotPair _pair = new();

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void S6_Load_rejects_small_file_truncated_at_any_byte()
    {
        byte[] snapshot = Small();
        for (int length = 0; length < snapshot.Length; length++)
        {
            Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot[..length]));
        }

        Assert.Equal(3, _pair.Load(snapshot).Entries);
    }

    [Fact]
    public void S6_Load_reports_small_file_with_any_flipped_bit_as_damaged()
    {
        byte[] snapshot = Small();
        for (int bit = 0; bit < 8 * snapshot.Length; bit++)
        {
            snapshot[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot));
            snapshot[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void S6_Load_rejects_large_file_that_is_truncated_or_corrupted()
    {
        byte[] snapshot = Large();
        Assert.True(snapshot.Length > 4 * SnapshotFormat.BlockBytes);
        for (int at = 0; at < snapshot.Length; at += 4096)
        {
            Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot[..at]));
            snapshot[at + (at % 4000)] ^= 0x10;
            Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot));
            snapshot[at + (at % 4000)] ^= 0x10;
        }
    }

    [Fact]
    public void S6_Load_rejects_file_with_any_4_KiB_zeroed()
    {
        byte[] snapshot = Large();
        for (int at = 0; at + 4096 <= snapshot.Length; at += 4096)
        {
            byte[] holed = [.. snapshot];
            holed.AsSpan(at, 4096).Clear();
            Assert.Equal(at == 0 ? SnapshotFault.Foreign : SnapshotFault.Damaged, _pair.Refusal(holed));
        }
    }

    [Fact]
    public void S6_Load_rejects_blocks_that_are_reordered_or_from_another_snapshot()
    {
        byte[] snapshot = Large();
        byte[] other = Large();
        (int first, int second) = (SnapshotHeader.Bytes, SnapshotHeader.Bytes + LengthOfBlock(snapshot, SnapshotHeader.Bytes));
        int third = second + LengthOfBlock(snapshot, second);
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(Swapped(snapshot, first, second, third)));
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal([.. snapshot[..second], .. snapshot[first..]]));
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal([.. snapshot[..first], .. snapshot[second..]]));
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal([.. snapshot[..second], .. other[second..]]));
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal([.. snapshot, 0]));
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal([.. snapshot, .. snapshot]));
    }

    [Theory]
    [InlineData("some text that is no snapshot and is longer than a header and a block's header, which is what is looked at")]
    [InlineData("x")]
    [InlineData("SQLite format 3\0")]
    public void S6_Load_reports_file_of_another_format_as_foreign(string content) =>
        Assert.Equal(SnapshotFault.Foreign, _pair.Refusal(StoreFixture.Bytes(content)));

    [Theory]
    [InlineData(0)]
    [InlineData(255)]
    public void S6_Load_reports_file_of_one_repeated_byte_as_foreign(byte one) =>
        Assert.Equal(SnapshotFault.Foreign, _pair.Refusal([.. Enumerable.Repeat(one, 10_000)]));

    [Fact]
    public void S6_Load_reports_newer_format_version()
    {
        byte[] snapshot = Small();
        BinaryPrimitives.WriteUInt32LittleEndian(snapshot.AsSpan(8), SnapshotFormat.Version + 1);
        BinaryPrimitives.WriteUInt32LittleEndian(snapshot.AsSpan(SnapshotHeader.Bytes - 4), Checksum.Of(snapshot.AsSpan(0, SnapshotHeader.Bytes - 4)));
        Assert.Equal(SnapshotFault.Newer, _pair.Refusal(snapshot));
    }

    [Theory]
    [InlineData(7)]
    [InlineData(100)]
    [InlineData(255)]
    public void S6_Load_rejects_file_with_unknown_item_form(byte form)
    {
        byte[] snapshot = Small();
        snapshot[SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes] = form;
        SealBlock(snapshot, SnapshotHeader.Bytes);
        Assert.Equal(SnapshotFault.Newer, _pair.Refusal(snapshot));
    }

    // The first record is a scalar. The test replaces its type and its part by the first two arguments. The record's value is neither a valid piece nor a
    // valid tail, and no collection precedes the record.
    [Theory]
    [InlineData(1, 0, SnapshotFault.Damaged)]
    [InlineData(4, 0, SnapshotFault.Damaged)]
    [InlineData(3, 1, SnapshotFault.Damaged)]
    [InlineData(5, 0, SnapshotFault.Damaged)]
    [InlineData(6, 0, SnapshotFault.Damaged)]
    [InlineData(5, 1, SnapshotFault.Newer)]
    [InlineData(3, 3, SnapshotFault.Newer)]
    [InlineData(0, 1, SnapshotFault.Newer)]
    public void S6_Load_rejects_invalid_collection_part_despite_valid_checksum(byte form, byte part, SnapshotFault fault)
    {
        byte[] snapshot = Small();
        int record = SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes;
        (snapshot[record], snapshot[record + 2]) = (form, part);
        SealBlock(snapshot, SnapshotHeader.Bytes);
        Assert.Equal(fault, _pair.Refusal(snapshot));
    }

    [Fact]
    public void S6_Load_rejects_truncated_or_corrupted_collections()
    {
        CollectionFixture before = new(_pair.Before);
        string[] names = [.. Enumerable.Range(0, 20_000).Select(i => $"element {i}")];
        before.SetFields("d", [.. names.Select(name => $"{name}={name}")]);
        before.Push("l", ListEnd.Back, 0, names);
        before.Put("z", [.. names.Select(name => $"{name}:1")]);
        before.AddMembers("s", names);
        byte[] snapshot = _pair.Write();
        Assert.True(snapshot.Length > 4 * SnapshotFormat.BlockBytes);
        for (int at = 1000; at < snapshot.Length; at += 16_384)
        {
            Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot[..at]));
            snapshot[at + (at % 4000)] ^= 0x10;
            Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot));
            snapshot[at + (at % 4000)] ^= 0x10;
        }

        // Marks the first record as a later piece of a collection that the file does not contain, and corrects the block's checksum.
        snapshot[SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes + 2] = (byte)SnapshotPart.More;
        SealBlock(snapshot, SnapshotHeader.Bytes);
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot));
    }

    [Fact]
    public void S6_Load_rejects_unknown_cache_settings()
    {
        byte[] snapshot = Small();
        int caches = SnapshotHeader.Bytes + LengthOfBlock(snapshot, SnapshotHeader.Bytes);
        snapshot[caches + SnapshotBlockHeader.Bytes + 6] = 1;
        SealBlock(snapshot, caches);
        Assert.Equal(SnapshotFault.Newer, _pair.Refusal(snapshot));
    }

    [Theory]
    [InlineData(8, int.MaxValue)]
    [InlineData(8, -1)]
    [InlineData(8, 0)]
    [InlineData(12, int.MaxValue)]
    [InlineData(12, -1)]
    public void S6_Load_rejects_impossible_lengths_despite_valid_checksum(int at, int length)
    {
        byte[] snapshot = Small();
        BinaryPrimitives.WriteInt32LittleEndian(snapshot.AsSpan(SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes + at), length);
        SealBlock(snapshot, SnapshotHeader.Bytes);
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot));
    }

    [Fact]
    public void S6_Load_leaves_store_empty_when_second_read_fails()
    {
        byte[] snapshot = Large();
        int reads = 0;
        using HookedStream count = new(() => reads++);
        count.Write(snapshot);
        SnapshotReader.Read(count, sink: null, CancellationToken.None);
        int once = reads;
        using HookedStream failing = new(() =>
        {
            if (--reads < -once / 2)
            {
                throw new IOException("The disk is gone.");
            }
        });
        failing.Write(snapshot);
        reads = once;
        Assert.Throws<IOException>(() => SnapshotLoader.Load(_pair.After.Store, failing, CancellationToken.None));
        Assert.Equal(0, _pair.After.Store.GetStatistics().Entries);
        Assert.Equal(["cache"], _pair.After.Store.CacheNames);
        Assert.Null(_pair.After.Get("key 1"));
    }

    private byte[] Small()
    {
        _pair.Before.Store.CreateCache("second");
        for (int i = 0; i < 3; i++)
        {
            _pair.Before.Set($"key {i}", $"value {i}");
        }

        return _pair.Write();
    }

    private byte[] Large()
    {
        _pair.Before.Store.CreateCache("second");
        for (int i = 0; i < 8_000; i++)
        {
            _pair.Before.Set($"key {i}", new string('x', 100));
        }

        return _pair.Write();
    }

    private static byte[] Swapped(byte[] all, int first, int second, int third) =>
        [.. all[..first], .. all[second..third], .. all[first..second], .. all[third..]];

    private static int LengthOfBlock(byte[] snapshot, int at) => SnapshotBlockHeader.Bytes + SnapshotBlockHeader.Read(snapshot.AsSpan(at)).PayloadBytes;

    private static void SealBlock(byte[] snapshot, int at) =>
        SnapshotBlockHeader.Read(snapshot.AsSpan(at)).Seal(snapshot.AsSpan(at, LengthOfBlock(snapshot, at)));
}
