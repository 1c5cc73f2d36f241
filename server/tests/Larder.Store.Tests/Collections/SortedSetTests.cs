using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed class SortedSetTests : IDisposable
{
    private readonly CollectionFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Elements_are_ordered_by_score_then_by_bytes()
    {
        _fixture.Put("z", "b:1", "a:1", "aa:1", "c:-2", "d:Infinity", "e:-Infinity");
        Assert.Equal("e:-Infinity c:-2 a:1 aa:1 b:1 d:Infinity", _fixture.FetchByIndex("z"));
        Assert.Equal("d:Infinity b:1 aa:1 a:1 c:-2 e:-Infinity", _fixture.FetchByIndex("z", order: SortedSetOrder.Descending));
        _fixture.Put("z", "b:-3", "b:7");
        Assert.Equal("b:7 d:Infinity", _fixture.FetchByIndex("z", -2));
    }

    [Theory]
    [InlineData(1, 3, SortedSetOrder.Ascending, "b:2 c:3")]
    [InlineData(-2, null, SortedSetOrder.Ascending, "d:4 e:5")]
    [InlineData(0, 2, SortedSetOrder.Descending, "e:5 d:4")]
    [InlineData(-1, null, SortedSetOrder.Descending, "a:1")]
    [InlineData(5, 9, SortedSetOrder.Ascending, "")]
    [InlineData(3, 3, SortedSetOrder.Ascending, "")]
    public void Index_range_is_applied_in_requested_order(int? start, int? end, SortedSetOrder order, string shown)
    {
        _fixture.Put("z", "a:1", "b:2", "c:3", "d:4", "e:5");
        Assert.Equal(shown, _fixture.FetchByIndex("z", start, end, order));
    }

    [Theory]
    [InlineData(2.0, 4.0, false, false, 0, -1, "b:2 c:3 d:4", "d:4 c:3 b:2")]
    [InlineData(2.0, 4.0, true, true, 0, -1, "c:3", "c:3")]
    [InlineData(null, 3.0, false, false, 1, 1, "b:2", "b:2")]
    [InlineData(2.5, null, false, false, 0, 2, "c:3 d:4", "e:5 d:4")]
    [InlineData(null, null, false, false, 4, -1, "e:5", "a:1")]
    [InlineData(9.0, null, false, false, 0, -1, "", "")]
    [InlineData(4.0, 2.0, false, false, 0, -1, "", "")]
    [InlineData(null, null, false, false, 7, -1, "", "")]
    [InlineData(null, null, false, false, 0, 0, "", "")]
    public void Score_range_applies_offset_and_count_in_requested_order(
        double? min, double? max, bool excludesMin, bool excludesMax, uint offset, int count, string ascending, string descending)
    {
        _fixture.Put("z", "a:1", "b:2", "c:3", "d:4", "e:5");
        ScoreRange range = new(min, max, excludesMin, excludesMax);
        Assert.Equal(ascending, _fixture.FetchByScore("z", range, offset, count));
        Assert.Equal(descending, _fixture.FetchByScore("z", range, offset, count, SortedSetOrder.Descending));
        if (offset == 0 && count < 0)
        {
            _fixture.Cache.SortedSetLengthByScore("z"u8, range, out long length);
            Assert.Equal(ascending.Split(' ', StringSplitOptions.RemoveEmptyEntries).Length, length);
        }
    }

    [Fact]
    public void Put_and_increment_reject_NaN_score()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => _fixture.Put("z", "a:1", "b:NaN"));
        Assert.False(_fixture.Cache.Contains("z"u8));
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            _fixture.Cache.SortedSetIncrement("z"u8, "a"u8, double.NaN, new CollectionTtl(1000, true), out _));
    }

    [Fact]
    public void Increment_creates_or_adds_and_rejects_NaN_result()
    {
        CollectionTtl ttl = new(1000, Refresh: true);
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SortedSetIncrement("z"u8, "a"u8, double.PositiveInfinity, ttl, out double score));
        Assert.Equal(double.PositiveInfinity, score);
        Assert.Equal(CollectionOutcome.Overflow, _fixture.Cache.SortedSetIncrement("z"u8, "a"u8, double.NegativeInfinity, ttl, out _));
        _fixture.Cache.SortedSetIncrement("z"u8, "b"u8, 1.5, ttl, out _);
        _fixture.Cache.SortedSetIncrement("z"u8, "b"u8, 2, ttl, out score);
        Assert.Equal(3.5, score);
        Assert.Equal("b:3.5 a:Infinity", _fixture.FetchByIndex("z"));
    }

    [Fact]
    public void Ranks_and_scores_are_returned_only_for_existing_elements()
    {
        _fixture.Put("z", "a:1", "b:2", "c:3");
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SortedSetGetRank("z"u8, "c"u8, SortedSetOrder.Ascending, out long? rank));
        Assert.Equal(2, rank);
        _fixture.Cache.SortedSetGetRank("z"u8, "c"u8, SortedSetOrder.Descending, out rank);
        Assert.Equal(0, rank);
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SortedSetGetRank("z"u8, "x"u8, SortedSetOrder.Ascending, out rank));
        Assert.Null(rank);
        Assert.Equal(CollectionOutcome.Missing, _fixture.Cache.SortedSetGetRank("y"u8, "x"u8, SortedSetOrder.Ascending, out _));
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack("c", "x", "a");
        TextSink sink = new([]);
        Assert.Equal("c:3 -x a:1", sink.Text(_fixture.Cache.SortedSetGetScores("z"u8, new CollectionBatch(bytes, items), ref sink)));
    }

    [Theory]
    [InlineData(ScoreAggregate.Sum, "a:2 c:9 b:16")]
    [InlineData(ScoreAggregate.Min, "a:2 b:4 c:9")]
    [InlineData(ScoreAggregate.Max, "a:2 c:9 b:12")]
    public void Union_applies_weights_and_aggregate_and_replaces_destination(ScoreAggregate aggregate, string union)
    {
        _fixture.Put("y", "a:1", "b:2");
        _fixture.Put("z", "b:4", "c:3");
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack("y:2", "none:5", "z:3");
        CollectionOutcome outcome = _fixture.Cache.SortedSetUnionStore("z"u8, new CollectionBatch(bytes, items), aggregate, 500, out long length);
        Assert.Equal(CollectionOutcome.Ok, outcome);
        Assert.Equal(3, length);
        Assert.Equal(union, _fixture.FetchByIndex("z"));
        _fixture.Cache.TryGetTtl("z"u8, out long left);
        Assert.Equal(499, left);
    }

    [Theory]
    [InlineData(0, CollectionOutcome.Ok)]
    [InlineData(1, CollectionOutcome.TooMany)]
    [InlineData(10_000, CollectionOutcome.TooMany)]
    public void Union_above_element_limit_fails_without_changing_destination(int more, CollectionOutcome expected)
    {
        const int Size = 1_024;
        _fixture.Put("y", [.. Enumerable.Range(0, Size).Select(i => $"m{i}:{i}")]);
        _fixture.Put("one", "x:1");
        _fixture.Put("z", "kept:1");
        string[] sources = [.. Enumerable.Repeat("y:1", Cache.MaxUnionElements / Size), .. Enumerable.Repeat("one:1", more)];
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack(sources);
        Assert.Equal(expected, _fixture.Cache.SortedSetUnionStore("z"u8, new CollectionBatch(bytes, items), 0, 500, out long length));
        Assert.Equal(expected == CollectionOutcome.Ok ? Size : 0, length);
        _fixture.Cache.SortedSetLength("z"u8, out long held);
        Assert.Equal(expected == CollectionOutcome.Ok ? Size : 1, held);
    }

    [Fact]
    public void Union_rejects_empty_source_list_and_empty_result_deletes_destination()
    {
        _fixture.Put("z", "a:1");
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack("none:1");
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.SortedSetUnionStore("z"u8, new CollectionBatch(bytes, items), 0, 500, out long length));
        Assert.Equal(0, length);
        Assert.False(_fixture.Cache.Contains("z"u8));
        Assert.Throws<ArgumentOutOfRangeException>(() => _fixture.Cache.SortedSetUnionStore("z"u8, default, 0, 500, out _));
    }

    [Theory]
    [InlineData(128)]
    [InlineData(129)]
    [InlineData(100_000)]
    [InlineData(1_000_000)]
    public void Ranks_of_many_elements_follow_their_scores(int count)
    {
        using CollectionFixture large = new(512L << 20);
        for (int i = 0; i < count; i += 1000)
        {
            // Uses all scores in a mixed order. The order contains all of them, because 7,919 and the counts have no common factor.
            large.Put("z", [.. Enumerable.Range(i, Math.Min(1000, count - i)).Select(n => $"m{(long)n * 7919 % count}:{(long)n * 7919 % count}")]);
        }

        foreach (int i in (int[])[0, 1, count / 2, count - 1])
        {
            large.Cache.SortedSetGetRank("z"u8, StoreFixture.Bytes($"m{i}"), SortedSetOrder.Ascending, out long? rank);
            Assert.Equal(i, rank);
            Assert.Equal(i == 0 ? "m0" : $"m{i}:{i}", large.FetchByIndex("z", i, i + 1));
            large.Cache.SortedSetLengthByScore("z"u8, new ScoreRange(Max: i), out long below);
            Assert.Equal(i + 1, below);
        }
    }

    [Fact]
    public void Scores_can_be_replaced_by_scores_of_other_encoded_lengths()
    {
        double[] scores = [-1e300, int.MinValue - 1.0, int.MinValue, -32_769, -129, -1, -0.5, 1, 1.5, 127, 128, 32_768, int.MaxValue, int.MaxValue + 1.0];
        _fixture.Put("z", [.. scores.Reverse().Select(score => $"{score:R}:{score:R}")]);
        string shown = string.Join(' ', scores.Select(score => $"{score:R}:{score:R}"));
        Assert.Equal(shown, _fixture.FetchByIndex("z"));

        // Each score is replaced by a score with another encoded length, and then restored.
        _fixture.Put("z", [.. scores.Select((score, i) => $"{score:R}:{scores[(i + 5) % scores.Length]:R}")]);
        _fixture.Store.Store.AssertValid();
        _fixture.Put("z", [.. scores.Select(score => $"{score:R}:{score:R}")]);
        Assert.Equal(shown, _fixture.FetchByIndex("z"));
        _fixture.Put("z", [.. Enumerable.Range(0, 200).Select(i => $"more {i}:Infinity")]);
        _fixture.Store.Store.AssertValid();
        Assert.Equal(shown, _fixture.FetchByIndex("z", 0, scores.Length));
    }
}
