using System.Buffers.Binary;
using Larder.Store.Collections;
using Larder.Store.Snapshots;
using Larder.Store.Tests.Collections;

namespace Larder.Store.Tests.Snapshots;

/// <summary>S6: a damaged file is rejected, and nothing of it is loaded.</summary>
public sealed class SnapshotDamageTests : IDisposable
{
    private readonly SnapshotPair _pair = new();

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void S6_a_small_file_that_ends_at_any_byte_is_refused()
    {
        byte[] snapshot = Small();
        for (int length = 0; length < snapshot.Length; length++)
        {
            Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot[..length]));
        }

        Assert.Equal(3, _pair.Load(snapshot).Entries);
    }

    [Fact]
    public void S6_a_small_file_with_any_bit_flipped_is_refused_and_never_taken_for_another_kind_of_file()
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
    public void S6_a_large_file_that_ends_at_any_4_KiB_or_has_a_bit_flipped_there_is_refused()
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
    public void S6_a_hole_of_zeros_at_any_4_KiB_is_refused()
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
    public void S6_blocks_in_another_order_or_twice_or_of_another_file_are_refused()
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
    public void S6_somebody_elses_file_is_told_from_one_of_ours(string content) =>
        Assert.Equal(SnapshotFault.Foreign, _pair.Refusal(StoreFixture.Bytes(content)));

    [Theory]
    [InlineData(0)]
    [InlineData(255)]
    public void S6_a_file_of_one_byte_again_and_again_is_somebody_elses(byte one) =>
        Assert.Equal(SnapshotFault.Foreign, _pair.Refusal([.. Enumerable.Repeat(one, 10_000)]));

    [Fact]
    public void S6_a_later_version_is_told_as_such()
    {
        byte[] snapshot = Small();
        BinaryPrimitives.WriteUInt32LittleEndian(snapshot.AsSpan(8), SnapshotFormat.Version + 1);
        BinaryPrimitives.WriteUInt32LittleEndian(snapshot.AsSpan(SnapshotHeader.Bytes - 4), Checksum.Of(snapshot.AsSpan(0, SnapshotHeader.Bytes - 4)));
        Assert.Equal(SnapshotFault.Newer, _pair.Refusal(snapshot));
    }

    [Theory]
    [InlineData(6)]
    [InlineData(100)]
    [InlineData(255)]
    public void S6_an_item_of_a_form_that_is_not_known_is_refused_with_all_the_rest(byte form)
    {
        byte[] snapshot = Small();
        snapshot[SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes] = form;
        SealBlock(snapshot, SnapshotHeader.Bytes);
        Assert.Equal(SnapshotFault.Newer, _pair.Refusal(snapshot));
    }

    // Forms and parts that the first record, a scalar, is changed to. Its value is neither a valid piece nor a valid tail, and no collection comes before it.
    [Theory]
    [InlineData(1, 0, SnapshotFault.Damaged)]
    [InlineData(4, 0, SnapshotFault.Damaged)]
    [InlineData(3, 1, SnapshotFault.Damaged)]
    [InlineData(5, 0, SnapshotFault.Damaged)]
    [InlineData(5, 1, SnapshotFault.Newer)]
    [InlineData(3, 3, SnapshotFault.Newer)]
    [InlineData(0, 1, SnapshotFault.Newer)]
    public void S6_what_cannot_be_part_of_a_collection_is_refused_though_the_checksum_holds(byte form, byte part, SnapshotFault fault)
    {
        byte[] snapshot = Small();
        int record = SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes;
        (snapshot[record], snapshot[record + 2]) = (form, part);
        SealBlock(snapshot, SnapshotHeader.Bytes);
        Assert.Equal(fault, _pair.Refusal(snapshot));
    }

    [Fact]
    public void S6_a_file_of_collections_that_ends_in_the_middle_of_one_or_has_a_bit_flipped_there_is_refused()
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
    public void S6_settings_of_a_cache_that_are_not_known_are_refused()
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
    public void S6_lengths_that_cannot_be_are_refused_though_the_checksum_holds(int at, int length)
    {
        byte[] snapshot = Small();
        BinaryPrimitives.WriteInt32LittleEndian(snapshot.AsSpan(SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes + at), length);
        SealBlock(snapshot, SnapshotHeader.Bytes);
        Assert.Equal(SnapshotFault.Damaged, _pair.Refusal(snapshot));
    }

    [Fact]
    public void S6_a_file_that_fails_when_it_is_read_the_second_time_leaves_nothing_in_the_store()
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
