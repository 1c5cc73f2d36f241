namespace Larder.Store.Tests;

public sealed unsafe class PageRegionsTests : IDisposable
{
    private const long StoreBytes = 2L << 30;
    private readonly RefusablePages _source = new();
    private readonly PageRegions _pages;

    public PageRegionsTests() => _pages = new PageRegions(StoreBytes, _source);

    public void Dispose()
    {
        _pages.Dispose();
        Assert.Equal((0, 0L), (_source.Mappings, _source.MappedBytes));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4096)]
    [InlineData(4097)]
    [InlineData(70_000)]
    [InlineData(1 << 20)]
    [InlineData(5_000_000)]
    [InlineData(16 << 20)]
    [InlineData((16 << 20) + 1)]
    public void Blocks_are_zeroed_and_disjoint_when_allocated_again(long bytes)
    {
        nint[] blocks = [.. Enumerable.Range(0, 20).Select(_ => (nint)_pages.Allocate(bytes))];
        Assert.Equal(blocks.Length, blocks.Distinct().Count());
        for (int round = 0; round < 2; round++)
        {
            foreach (nint block in blocks)
            {
                var span = new Span<byte>((byte*)block, (int)bytes);
                Assert.False(span.ContainsAnyExcept((byte)0));
                span.Fill(0xAB);
            }

            foreach (nint block in blocks)
            {
                Assert.False(new Span<byte>((byte*)block, (int)bytes).ContainsAnyExcept((byte)0xAB));
                _pages.Free((byte*)block, bytes);
            }

            blocks = [.. Enumerable.Range(0, 20).Select(_ => (nint)_pages.Allocate(bytes))];
        }

        Array.ForEach(blocks, block => _pages.Free((byte*)block, bytes));
    }

    /// <summary>Frees every other block. This would be the worst case if each block had its own mapping.</summary>
    [Fact]
    public void Half_a_million_blocks_use_few_memory_mappings()
    {
        using var pages = new PageRegions(32L << 30, _source);
        nint[] blocks = [.. Enumerable.Range(0, 500_000).Select(_ => (nint)pages.Allocate(60_000))];
        for (int i = 0; i < blocks.Length; i += 2)
        {
            pages.Free((byte*)blocks[i], 60_000);
        }

        Assert.InRange(_source.Mappings, 1, 500);
        for (int i = 1; i < blocks.Length; i += 2)
        {
            pages.Free((byte*)blocks[i], 60_000);
        }

        Assert.Equal((1, 1), (_source.Mappings, pages.Regions));
    }

    [Fact]
    public void Failed_mapping_is_counted_and_returns_no_block()
    {
        _source.Refuses = true;
        Assert.True(_pages.TryAllocate(100) == null);
        Assert.Throws<InsufficientMemoryException>(() => { _pages.Allocate(100_000_000); });
        Assert.Equal((2, 0), (_pages.Refusals, _pages.Regions));
        _source.Refuses = false;
        byte* block = _pages.Allocate(100);
        _pages.Free(block, 100);
    }

    [Fact]
    public void Concurrent_allocations_never_return_the_same_block()
    {
        Parallel.For(0, 8, thread =>
        {
            var random = new Random(thread);
            var held = new Queue<(nint At, int Bytes)>();
            for (int i = 0; i < 5000; i++)
            {
                int bytes = 1 << random.Next(10, 18);
                byte* block = _pages.Allocate(bytes);
                Assert.Equal(0, *(long*)block);
                *(long*)block = ((long)thread << 32) | (uint)i;
                held.Enqueue(((nint)block, bytes));
                if (held.Count > 50)
                {
                    (nint at, int size) = held.Dequeue();
                    Assert.Equal(thread, *(long*)at >> 32);
                    _pages.Free((byte*)at, size);
                }
            }

            while (held.TryDequeue(out (nint At, int Bytes) left))
            {
                _pages.Free((byte*)left.At, left.Bytes);
            }
        });
    }
}
