using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed class SetTests : IDisposable
{
    private readonly CollectionFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Stored_set_contains_each_added_element_once_including_empty_element()
    {
        _fixture.AddMembers("s", "b", "a", "b", "");
        Assert.Equal(" a b", _fixture.FetchMembers("s"));
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SetLength("s"u8, out long length));
        Assert.Equal(3, length);
    }

    [Fact]
    public void Contains_returns_results_in_requested_order()
    {
        _fixture.AddMembers("s", "a", "b");
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack("b", "x", "a", "b");
        TextSink sink = new([]);
        Assert.Equal("b -x a b", sink.Text(_fixture.Cache.SetContains("s"u8, new CollectionBatch(bytes, items), ref sink)));
        Assert.Equal(CollectionOutcome.Missing, _fixture.Cache.SetContains("t"u8, new CollectionBatch(bytes, items), ref sink));
    }

    [Theory]
    [InlineData("a b c", "b d", "d")]
    [InlineData("a b", "b a a", "Missing")]
    [InlineData("a b", "", "")]
    public void SubtractFrom_keeps_elements_not_in_stored_set(string held, string elements, string left)
    {
        _fixture.AddMembers("s", held.Split(' '));
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack(elements.Split(' '));
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SetSubtractFrom("s"u8, new CollectionBatch(bytes, items)));
        Assert.Equal(left, _fixture.FetchMembers("s"));
        Assert.Equal(CollectionOutcome.Missing, _fixture.Cache.SetSubtractFrom("t"u8, new CollectionBatch(bytes, items)));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(3000)]
    public void Pop_and_sample_return_distinct_elements_until_empty(int count)
    {
        string[] all = [.. Enumerable.Range(0, count).Select(i => $"{i}")];
        _fixture.AddMembers("s", all);
        TextSink sample = new([]);
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SetSample("s"u8, ulong.MaxValue, AnswerLimit.None, ref sample));
        Assert.Equal(all.Order(StringComparer.Ordinal), sample.Shown.Order(StringComparer.Ordinal));
        TextSink none = new([]);
        Assert.Equal("", none.Text(_fixture.Cache.SetSample("s"u8, 0, AnswerLimit.None, ref none)));

        TextSink first = new([]);
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SetPop("s"u8, (uint)count - 1, AnswerLimit.None, ref first));
        _fixture.Store.Store.AssertValid();
        TextSink last = new([]);
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SetPop("s"u8, 5, AnswerLimit.None, ref last));
        Assert.Equal(all.Order(StringComparer.Ordinal), first.Shown.Concat(last.Shown).Order(StringComparer.Ordinal));
        Assert.False(_fixture.Cache.Contains("s"u8));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(1000)]
    public void Pop_above_response_limit_removes_nothing(int count)
    {
        _fixture.AddMembers("s", [.. Enumerable.Range(1000, count).Select(i => $"{i}")]);
        TextSink sink = new([]);
        Assert.Equal(CollectionOutcome.TooLarge, _fixture.Cache.SetPop("s"u8, 8, new AnswerLimit(39, 1), ref sink));
        Assert.Empty(sink.Shown);
        _fixture.Cache.SetLength("s"u8, out long length);
        Assert.Equal(count, length);
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SetPop("s"u8, 8, new AnswerLimit(40, 1), ref sink));
        Assert.Equal(8, sink.Shown.Count);
    }

    [Fact]
    public void Pop_rejects_count_0() => Assert.Throws<ArgumentOutOfRangeException>(() =>
    {
        TextSink sink = new([]);
        _fixture.Cache.SetPop("s"u8, 0, AnswerLimit.None, ref sink);
    });
}
