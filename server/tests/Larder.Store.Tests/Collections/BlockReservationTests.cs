using System.Buffers.Binary;
using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>
/// Tests that the memory reserved for a call is an upper bound of the memory that the call uses, for any order of the elements. The reserved memory may be
/// scattered.
/// </summary>
public sealed unsafe class BlockReservationTests : IDisposable
{
    private const int ChunkBytes = 16 << 10;
    private const int NameBytes = 12;
    private const ulong Seed = 0x9E37_79B9_7F4A_7C15;

    private readonly PageRegions _pages = new(1L << 30, PageSource.System);
    private readonly BlockHeap _heap;

    public BlockReservationTests() => _heap = new BlockHeap(_pages, ChunkBytes, ChunkBytes, poison: true);

    public void Dispose()
    {
        _heap.AssertValid();
        _heap.Dispose();
        _pages.Dispose();
    }

    /// <summary>Adds members in different orders, and changes the scores of existing members.</summary>
    [Theory]
    [InlineData("ascending")]
    [InlineData("descending")]
    [InlineData("mixed")]
    [InlineData("spread")]
    [InlineData("before the last")]
    [InlineData("to the end and back")]
    [InlineData("from the end to a full leaf")]
    [InlineData("joined and filled")]
    public void Sorted_set_batch_fits_in_reserved_memory(string order)
    {
        foreach (int batch in (int[])[1, 7, 300, 20_000])
        {
            CollectionRoot* root = null;
            Random random = new(batch);
            long scored = 0;

            // Add the members in order, so that every leaf is full.
            Put(ref root, [.. Enumerable.Range(0, 40_000).Select(i => ((long)i, (double)i))]);
            for (int round = 0; round < 5; round++)
            {
                (long Member, double Score)[] members = [.. Enumerable.Range(0, batch).Select(i => Next(order, random, scored + i))];
                Put(ref root, members);
                scored += batch;
            }

            CollectionValidation.AssertValid(root, Seed);
            _heap.AssertValid();
        }
    }

    [Theory]
    [InlineData(2_000)]
    [InlineData(20_000)]
    [InlineData(100_000)]
    public void Batch_reserves_only_leaves_that_it_can_split(int batch)
    {
        const int Present = 1 << 20;
        CollectionRoot* root = null;
        Put(ref root, [.. Enumerable.Range(0, Present).Select(i => ((long)i, (double)i))]);
        long records = NeedOf(root, batch, ItemType.Set).Bytes;
        long leaves = Math.Min(batch, (Present / 64) + (batch / 16) + 2) * BlockHeap.SizeOf(TreeNode.Bytes);
        Assert.InRange(NeedOf(root, batch, ItemType.SortedSet).Bytes, records + leaves, records + (leaves * 5 / 3));
    }

    /// <summary>Frees every other block of the heap. No single gap has enough space, but all gaps together do.</summary>
    [Fact]
    public void Reservation_may_span_scattered_free_blocks()
    {
        _heap.TryAddChunk(8 << 20);
        List<nint> blocks = [];
        while (_heap.TryAllocate(10_000) is var block && block != null)
        {
            blocks.Add((nint)block);
        }

        for (int i = 0; i < blocks.Count; i += 2)
        {
            _heap.Free((byte*)blocks[i]);
        }

        BlockNeed need = BlockNeed.Of(2_000, 1_040);
        Assert.True(_heap.TryReserve(need));
        for (int i = 0; i < 2_000; i++)
        {
            Assert.True(_heap.TryAllocate(1_032) != null);
        }

        Assert.False(_heap.TryReserve(BlockNeed.Of(2_000, 1_040)));
        Assert.False(_heap.TryReserve(BlockNeed.Of(1, 20_000)));
    }

    [Fact]
    public void Unused_reserved_chunk_is_pooled_and_reused()
    {
        BlockNeed need = BlockNeed.Of(100, 1_040);
        Assert.False(_heap.TryReserve(need));
        Assert.True(_heap.TryAddChunk(_heap.ChunkBytesFor(need)));
        Assert.True(_heap.TryReserve(need));
        _heap.PoolOpened();
        Assert.Equal(1, _heap.Pooled);
        Assert.True(_heap.TryReserve(need));
        Assert.Equal(0, _heap.Pooled);
        byte* block = _heap.Allocate(1_000);
        _heap.PoolOpened();
        Assert.Equal(0, _heap.Pooled);
        _heap.Free(block);
        Assert.Equal(1, _heap.Pooled);
    }

    private static (long Member, double Score) Next(string order, Random random, long i) => order switch
    {
        "ascending" => (50_000 + i, 50_000 + i),
        "descending" => (50_000 + i, -i),
        "mixed" => (random.Next(200_000), random.Next(40_000)),
        "spread" => (50_000 + i, (i * 64 % 40_000) + (i / 625 / 1000.0) + 0.5),
        "before the last" => (50_000 + i, 2_047.5 - (i / 100_000.0)),
        "to the end and back" => (7, i % 2 == 0 ? 100_000 : 7.5),
        "from the end to a full leaf" => (50_000 + (i / 2), i % 2 == 0 ? 100_000 + i : i * 32 % 40_000),
        _ => (i % 40_000, i % 64 < 48 ? 64 * (i / 64) + 0.5 : i),
    };

    private static BlockNeed NeedOf(CollectionRoot* root, long elements, ItemType type)
    {
        CollectionCall call = default;
        call.Type = type;
        (call.Elements, call.Bytes, call.LargestBytes) = (elements, elements * (NameBytes + sizeof(double)), NameBytes + sizeof(double));
        return CollectionNeed.Of(root, call);
    }

    private void Put(ref CollectionRoot* root, (long Member, double Score)[] members)
    {
        BlockNeed need = NeedOf(root, members.Length, ItemType.SortedSet);
        if (!_heap.TryReserve(need))
        {
            Assert.True(_heap.TryAddChunk(_heap.ChunkBytesFor(need)));
            Assert.True(_heap.TryReserve(need));
        }

        long before = _heap.AllocatedBytes;
        long most = 0;
        root = root == null ? CollectionRoot.Create(_heap, ItemType.SortedSet) : root;
        Span<byte> name = stackalloc byte[NameBytes];
        foreach ((long member, double score) in members)
        {
            BinaryPrimitives.WriteInt64LittleEndian(name, member);
            SortedElements.Put(root, _heap, name, score, Seed);
            most = Math.Max(most, _heap.AllocatedBytes - before);
        }

        SpareNodes.Free(root, _heap);
        Assert.InRange(most, 0, need.Bytes);
    }
}
