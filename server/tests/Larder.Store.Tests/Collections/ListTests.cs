using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed class ListTests : IDisposable
{
    private readonly CollectionFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void A_block_keeps_its_order_at_either_end()
    {
        Assert.Equal(2, _fixture.Push("l", ListEnd.Back, 0, "c", "d"));
        Assert.Equal(4, _fixture.Push("l", ListEnd.Front, 0, "a", "b"));
        Assert.Equal("a b c d", _fixture.Fetch("l"));
    }

    [Fact]
    public void A_push_drops_what_is_too_much_from_the_other_end()
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
    public void Pops_come_from_their_end_and_the_last_takes_the_list_away()
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
    public void A_slice_is_counted_from_either_end_and_an_empty_one_is_missing(int? start, int? end, string slice)
    {
        _fixture.Push("l", ListEnd.Back, 0, "0", "1", "2", "3", "4");
        Assert.Equal(slice, _fixture.Fetch("l", start, end));
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.ListRetain("l"u8, new ListSlice(start, end), default, out long kept));
        Assert.Equal(slice, _fixture.Fetch("l"));
        Assert.Equal(slice == "Missing" ? 0 : slice.Split(' ').Length, kept);
    }

    [Fact]
    public void Retaining_sets_the_TTL_only_where_it_refreshes()
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
    public void Ranges_are_erased_as_they_were_before_the_call()
    {
        _fixture.Push("l", ListEnd.Back, 0, "0", "1", "2", "3", "4", "5", "6", "7");
        ListRange[] ranges = [new(5, 2), new(1, 1), new(0, 2), new(1, 3), new(100, 5), new(6, uint.MaxValue)];
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.ListErase("l"u8, ranges, out long length));
        Assert.Equal(1, length);
        Assert.Equal("4", _fixture.Fetch("l"));
    }

    [Fact]
    public void All_elements_with_a_value_are_removed()
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
    public void A_pop_too_large_has_not_popped()
    {
        _fixture.Push("l", ListEnd.Back, 0, "12345");
        TextSink sink = new([]);
        Assert.Equal(CollectionOutcome.TooLarge, _fixture.Cache.ListPop("l"u8, ListEnd.Back, new AnswerLimit(4, 0), ref sink, out _));
        Assert.Equal("12345", _fixture.Fetch("l"));
    }

    [Theory]
    [InlineData(100_000)]
    [InlineData(1_000_000)]
    public void A_long_list_is_read_and_cut_anywhere(int count)
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
    public void Elements_larger_than_a_leaf_and_small_ones_mix()
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
