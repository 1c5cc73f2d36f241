namespace Larder.Wire.Tests.Buffers;

public sealed class SlabTests
{
    private readonly Slab _slab = new();

    [Theory]
    [InlineData(Slab.Pages, true)]
    [InlineData(Slab.Pages + 1, false)]
    [InlineData(Slab.Pages * 10, false)]
    public void TryTake_returns_blocks_up_to_slab_size(int pages, bool isTaken)
    {
        Assert.Equal(isTaken, _slab.TryTake(pages, out ArraySegment<byte> block));
        Assert.Equal(isTaken ? pages * Slab.PageBytes : 0, block.Count);
        Assert.Equal(isTaken ? pages : 0, _slab.TakenPages);
    }

    [Fact]
    public void Take_reuses_returned_pages_first()
    {
        ArraySegment<byte> first = Take(3);
        ArraySegment<byte> second = Take(70);
        _slab.Give(first);
        Assert.Equal(first.Offset, Take(2).Offset);
        Assert.True(Take(2).Offset > second.Offset);
    }

    [Fact]
    public void TryLengthen_grows_block_up_to_next_block()
    {
        ArraySegment<byte> block = Take(2);
        ArraySegment<byte> next = Take(1);
        Assert.False(_slab.TryLengthen(ref block, 3));
        Assert.True(_slab.TryLengthen(ref next, Slab.Pages - 2));
        Assert.False(_slab.TryLengthen(ref next, Slab.Pages - 1));
        Assert.Equal((2, Slab.Pages - 2, Slab.Pages), (block.Count / Slab.PageBytes, next.Count / Slab.PageBytes, _slab.TakenPages));
        _slab.Give(next);
        Assert.True(_slab.TryLengthen(ref block, 65));
        Assert.Equal(65, _slab.TakenPages);
    }

    [Fact]
    public void ReleaseFreePages_releases_free_pages_and_keeps_bytes_of_blocks()
    {
        ArraySegment<byte> kept = Take(1);
        ArraySegment<byte> free = Take(200);
        ArraySegment<byte> last = Take(1);
        kept.AsSpan().Fill(1);
        free.AsSpan().Fill(2);
        last.AsSpan().Fill(3);
        _slab.Give(free);
        Assert.Equal(OperatingSystem.IsLinux() ? 0 : free.Count, _slab.ReleaseFreePages());
        Assert.Equal(0, _slab.ReleaseFreePages());
        Assert.Equal((-1, -1), (kept.AsSpan().IndexOfAnyExcept((byte)1), last.AsSpan().IndexOfAnyExcept((byte)3)));
        if (OperatingSystem.IsLinux())
        {
            Assert.Equal(-1, free.AsSpan().IndexOfAnyExcept((byte)0));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Blocks_never_overlap(int seed)
    {
        Random random = new(seed);
        List<ArraySegment<byte>> held = [];
        for (int n = 0; n < 5_000; n++)
        {
            if (_slab.TryTake(random.Next(1, 60), out ArraySegment<byte> block))
            {
                Assert.DoesNotContain(held, other => block.Offset < other.Offset + other.Count && other.Offset < block.Offset + block.Count);
                held.Add(block);
            }

            if (held.Count > 0 && random.Next(2) == 0)
            {
                int given = random.Next(held.Count);
                _slab.Give(held[given]);
                held.RemoveAt(given);
            }
        }

        Assert.Equal(held.Sum(static block => block.Count), _slab.TakenPages * Slab.PageBytes);
        held.ForEach(_slab.Give);
        Assert.True(_slab.TryTake(Slab.Pages, out ArraySegment<byte> all));
        _slab.Give(all);
    }

    private ArraySegment<byte> Take(int pages)
    {
        Assert.True(_slab.TryTake(pages, out ArraySegment<byte> block));
        return block;
    }
}
