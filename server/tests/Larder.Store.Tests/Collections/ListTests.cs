using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed class ListTests : IDisposable
{
    private readonly CollectionFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Push_keeps_batch_order_at_either_end()
    {
        Assert.Equal(2, _fixture.Push("l", ListEnd.Back, 0, "c", "d"));
        Assert.Equal(4, _fixture.Push("l", ListEnd.Front, 0, "a", "b"));
        Assert.Equal("a b c d", _fixture.Fetch("l"));
    }

    [Fact]
    public void Truncating_push_drops_excess_from_opposite_end()
    {
        _fixture.Push("l", ListEnd.Back, 0, "a", "b", "c");
        Assert.Equal(3, _fixture.Push("l", ListEnd.Back, 3, "d", "e"));
        Assert.Equal("c d e", _fixture.Fetch("l"));
        Assert.Equal(2, _fixture.Push("l", ListEnd.Front, 2, "x"));
        Assert.Equal("x c", _fixture.Fetch("l"));
        Assert.Equal(1, _fixture.Push("l", ListEnd.Front, 1, "1", "2", "3"));
        Assert.Equal("1", _fixture.Fetch("l"));
    }

    [Fact]
    public void Pop_removes_element_at_chosen_end_and_deletes_emptied_list()
    {
        _fixture.Push("l", ListEnd.Back, 0, "a", "", "c");
        Assert.Equal("c", _fixture.Pop("l", ListEnd.Back));
        Assert.Equal("a", _fixture.Pop("l", ListEnd.Front));
        Assert.Equal("", _fixture.Pop("l", ListEnd.Front));
        Assert.Equal("Missing", _fixture.Pop("l", ListEnd.Front));
        Assert.False(_fixture.Cache.Contains("l"u8));
    }

    [Theory]
    [InlineData(null, null, "0 1 2 3 4")]
    [InlineData(1, 3, "1 2")]
    [InlineData(-2, null, "3 4")]
    [InlineData(null, -4, "0")]
    [InlineData(-100, 2, "0 1")]
    [InlineData(3, 100, "3 4")]
    [InlineData(3, 3, "Missing")]
    [InlineData(4, 2, "Missing")]
    [InlineData(5, null, "Missing")]
    [InlineData(int.MinValue, int.MaxValue, "0 1 2 3 4")]
    public void Slice_indexes_may_be_negative_and_empty_slice_returns_missing(int? start, int? end, string slice)
    {
        _fixture.Push("l", ListEnd.Back, 0, "0", "1", "2", "3", "4");
        Assert.Equal(slice, _fixture.Fetch("l", start, end));
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.ListRetain("l"u8, new ListSlice(start, end), default, out long kept));
        Assert.Equal(slice, _fixture.Fetch("l"));
        Assert.Equal(slice == "Missing" ? 0 : slice.Split(' ').Length, kept);
    }

    [Fact]
    public void Retain_changes_TTL_only_on_refresh()
    {
        _fixture.Push("l", ListEnd.Back, 0, "a", "b");
        _fixture.Cache.ListRetain("l"u8, default, new CollectionTtl(0, Refresh: false), out _);
        _fixture.Cache.TryGetTtl("l"u8, out long left);
        Assert.Equal(StoreFixture.Hour - 1, left);
        _fixture.Cache.ListRetain("l"u8, default, new CollectionTtl(50, Refresh: true), out _);
        _fixture.Cache.TryGetTtl("l"u8, out left);
        Assert.Equal(49, left);
        Assert.Throws<ArgumentOutOfRangeException>(() => _fixture.Cache.ListRetain("l"u8, default, new CollectionTtl(0, Refresh: true), out _));
    }

    [Fact]
    public void Erase_applies_all_ranges_to_original_positions()
    {
        _fixture.Push("l", ListEnd.Back, 0, "0", "1", "2", "3", "4", "5", "6", "7");
        ListRange[] ranges = [new(5, 2), new(1, 1), new(0, 2), new(1, 3), new(100, 5), new(6, uint.MaxValue)];
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.ListErase("l"u8, ranges, out long length));
        Assert.Equal(1, length);
        Assert.Equal("4", _fixture.Fetch("l"));
    }

    [Fact]
    public void Remove_deletes_all_equal_elements()
    {
        _fixture.Push("l", ListEnd.Back, 0, "a", "b", "a", "", "a");
        _fixture.Cache.ListRemove("l"u8, "a"u8, out long length);
        Assert.Equal(2, length);
        _fixture.Cache.ListRemove("l"u8, ""u8, out length);
        Assert.Equal("b", _fixture.Fetch("l"));
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.ListRemove("l"u8, "b"u8, out length));
        Assert.Equal(0, length);
        Assert.Equal(CollectionOutcome.Missing, _fixture.Cache.ListRemove("l"u8, "b"u8, out _));
    }

    [Fact]
    public void Pop_above_response_limit_removes_nothing()
    {
        _fixture.Push("l", ListEnd.Back, 0, "12345");
        TextSink sink = new([]);
        Assert.Equal(CollectionOutcome.TooLarge, _fixture.Cache.ListPop("l"u8, ListEnd.Back, new AnswerLimit(4, 0), ref sink, out _));
        Assert.Equal("12345", _fixture.Fetch("l"));
    }

    [Theory]
    [InlineData(100_000)]
    [InlineData(1_000_000)]
    public void Long_list_can_be_sliced_and_erased_anywhere(int count)
    {
        foreach (int[] part in Enumerable.Range(0, count).Chunk(10_000))
        {
            _fixture.Push("l", ListEnd.Back, 0, [.. part.Select(i => $"{i}")]);
        }

        _fixture.Store.Store.AssertValid();
        Assert.Equal($"{count / 2} {(count / 2) + 1}", _fixture.Fetch("l", count / 2, (count / 2) + 2));
        Assert.Equal($"{count - 1}", _fixture.Fetch("l", -1));
        Assert.Equal(count, _fixture.Fetch("l").Split(' ').Length);
        _fixture.Cache.ListErase("l"u8, [new ListRange(10, (uint)count - 20)], out long length);
        Assert.Equal(20, length);
        Assert.Equal($"9 {count - 10}", _fixture.Fetch("l", 9, 11));
        _fixture.Store.Store.AssertValid();
    }

    [Fact]
    public void List_stores_small_elements_and_elements_larger_than_a_leaf()
    {
        string large = new('x', 100_000);
        for (int i = 0; i < 20; i++)
        {
            _fixture.Push("l", i % 2 == 0 ? ListEnd.Back : ListEnd.Front, 0, $"{i}", large, "");
        }

        _fixture.Store.Store.AssertValid();
        Assert.Equal("18", _fixture.Fetch("l", -3, -2));
        Assert.Equal(large, _fixture.Fetch("l", -2, -1));
        _fixture.Cache.ListRemove("l"u8, StoreFixture.Bytes(large), out long length);
        Assert.Equal(40, length);
    }
}
