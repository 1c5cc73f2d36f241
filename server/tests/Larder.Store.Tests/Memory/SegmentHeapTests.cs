namespace Larder.Store.Tests;

/// <summary>
/// Tests that segments of a shard are reused before more memory is allocated, that they are small while the shard contains little data, and that their number
/// does not exceed the available segment numbers.
/// </summary>
public sealed class SegmentHeapTests : IDisposable
{
    private const long ShardBytes = 64L << 20;
    private readonly RefusablePages _source = new();
    private readonly PageRegions _pages;

    public SegmentHeapTests() => _pages = new PageRegions(ShardBytes, _source);

    public void Dispose()
    {
        _pages.Dispose();
        Assert.Equal(0, _source.MappedBytes);
    }

    [Fact]
    public void Retired_segment_without_readers_is_reused_before_new_allocation()
    {
        using var heap = new SegmentHeap(SegmentPlan.For(ShardBytes), _pages, new Epochs(), poison: false);
        int first = heap.TakeShared(heap.SegmentBytes);
        heap.Retire(first);
        Assert.Equal(first, heap.TakeShared(heap.SegmentBytes));
        Assert.Equal((heap.SegmentBytes, 0), (heap.HeldBytes, heap.IdleBytes));
    }

    [Fact]
    public void Retired_segment_with_reader_is_not_reused()
    {
        var epochs = new Epochs();
        using var heap = new SegmentHeap(SegmentPlan.For(ShardBytes), _pages, epochs, poison: false);
        int first = heap.TakeShared(heap.SegmentBytes);
        epochs.Current.Enter();
        heap.Retire(first);
        Assert.NotEqual(first, heap.TakeShared(heap.SegmentBytes));
        epochs.Current.Exit();
        Assert.Equal(first, heap.TakeShared(heap.SegmentBytes));
    }

    [Fact]
    public void Shard_with_little_data_opens_small_segments()
    {
        using var heap = new SegmentHeap(SegmentPlan.For(ShardBytes), _pages, new Epochs(), poison: false);
        Assert.Equal(heap.SegmentBytes / 8, heap.SizeToOpen((8 * heap.SegmentBytes) - 1));
        Assert.Equal(heap.SegmentBytes, heap.SizeToOpen(8 * heap.SegmentBytes));
        int small = heap.TakeShared(heap.SmallSegmentBytes);
        int usual = heap.TakeShared(heap.SegmentBytes);
        heap.Retire(small);
        heap.Retire(usual);
        heap.Reclaim(advance: true);
        Assert.Equal((small, usual), (heap.TakeShared(heap.SmallSegmentBytes), heap.TakeShared(heap.SegmentBytes)));
        Assert.Equal(heap.SmallSegmentBytes + heap.SegmentBytes, heap.HeldBytes);
    }

    [Fact]
    public void Segments_unused_between_two_checks_are_released()
    {
        using var heap = new SegmentHeap(SegmentPlan.For(ShardBytes), _pages, new Epochs(), poison: false);
        int[] taken = [heap.TakeShared(heap.SegmentBytes), heap.TakeShared(heap.SegmentBytes), heap.TakeShared(heap.SmallSegmentBytes)];
        Array.ForEach(taken, heap.Retire);
        heap.Reclaim(advance: true);
        ReturnUnused(heap);
        Assert.Equal((2 * heap.SegmentBytes) + heap.SmallSegmentBytes, heap.HeldBytes);
        heap.Retire(heap.TakeShared(heap.SegmentBytes));
        heap.Reclaim(advance: true);
        ReturnUnused(heap);
        Assert.Equal(heap.SegmentBytes, heap.HeldBytes);
        ReturnUnused(heap);
        Assert.Equal(0, heap.HeldBytes);
    }

    private void ReturnUnused(SegmentHeap heap)
    {
        List<PageBlock> unused = [];
        heap.TakeUnused(unused);
        unused.ForEach(memory => memory.Free(_pages));
    }

    [Fact]
    public void Allocation_fails_when_segment_numbers_run_out()
    {
        using var heap = new SegmentHeap(SegmentPlan.For(CacheStoreOptions.MinMemoryBytes), _pages, new Epochs(), poison: false);
        for (int taken = 1; taken < heap.MaxSegments; taken++)
        {
            heap.TakeSingle(1);
        }

        Assert.Equal(0, heap.NumbersLeft);
        Assert.Equal(0, heap.TakeSingle(1));
        Assert.False(heap.Refused);
    }

    [Fact]
    public void Failed_segment_allocation_consumes_no_number_and_is_retried()
    {
        using var heap = new SegmentHeap(SegmentPlan.For(ShardBytes), _pages, new Epochs(), poison: false);
        int left = heap.NumbersLeft;
        _source.Refuses = true;
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal((0, 0), (heap.TakeShared(heap.SegmentBytes), heap.TakeSingle(5_000_000)));
        }

        heap.AskAgain();
        Assert.Equal((left, 0, 0, true), (heap.NumbersLeft, heap.HeldBytes, heap.Pooled, heap.Refused));
        _source.Refuses = false;
        heap.AskAgain();
        Assert.Equal((1, false), (heap.Pooled, heap.Refused));
        Assert.NotEqual(0, heap.TakeShared(heap.SegmentBytes));
    }

    [Fact]
    public void Reclaim_frees_bounded_number_of_segments_per_call()
    {
        using var heap = new SegmentHeap(SegmentPlan.For(ShardBytes), _pages, new Epochs(), poison: false);
        int[] taken = [.. Enumerable.Range(0, 100).Select(_ => heap.TakeSingle(100_000))];
        Array.ForEach(taken, heap.Retire);
        heap.Reclaim(advance: true);
        Assert.Equal(96, heap.Retired);
        Assert.Equal(heap.HeldBytes, heap.RetiredBytes);
        for (int i = 0; i < 24; i++)
        {
            heap.Reclaim(advance: true);
        }

        Assert.Equal((0, 0, 0), (heap.Retired, heap.RetiredBytes, heap.HeldBytes));
    }
}
