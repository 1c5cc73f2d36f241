using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed class DictionaryTests : IDisposable
{
    private readonly CollectionFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Get_returns_fields_in_requested_order_including_missing_ones()
    {
        Assert.Equal(CollectionOutcome.Ok, _fixture.SetFields("d", "a=1", "b=", "c=3"));
        Assert.Equal("c=3 -x b a=1 c=3", _fixture.GetFields("d", "c", "x", "b", "a", "c"));
        Assert.Equal("Missing", _fixture.GetFields("other", "a"));
    }

    [Fact]
    public void Set_keeps_last_value_of_repeated_field()
    {
        _fixture.SetFields("d", "a=1", "a=22", "a=3");
        Assert.Equal("a=3", _fixture.FetchFields("d"));
    }

    [Fact]
    public void Empty_dictionary_is_not_stored()
    {
        Assert.Equal(CollectionOutcome.Ok, _fixture.SetFields("d"));
        Assert.False(_fixture.Cache.Contains("d"u8));
        _fixture.SetFields("d", "a=1", "b=2");
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack("b", "x", "a");
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.DictionaryDelete("d"u8, new CollectionBatch(bytes, items)));
        Assert.False(_fixture.Cache.Contains("d"u8));
        Assert.Equal(CollectionOutcome.Missing, _fixture.Cache.DictionaryDelete("d"u8, new CollectionBatch(bytes, items)));
        Assert.Equal(CollectionOutcome.Missing, _fixture.Cache.DictionaryLength("d"u8, out _));
    }

    [Theory]
    [InlineData("5", 0, 5L)]
    [InlineData("-9223372036854775808", -1, null)]
    [InlineData("9223372036854775807", 1, null)]
    [InlineData("9223372036854775806", 1, long.MaxValue)]
    [InlineData("none", 1, null)]
    [InlineData("", 1, null)]
    public void Increment_adds_amount_and_failed_increment_changes_nothing(string value, long amount, long? sum)
    {
        _fixture.SetFields("d", $"n={value}");
        CollectionOutcome outcome = _fixture.Cache.DictionaryIncrement("d"u8, "n"u8, amount, new CollectionTtl(1000, true), out long found);
        Assert.Equal(sum is null, outcome is CollectionOutcome.Overflow or CollectionOutcome.NotAnInteger);
        string now = sum is null ? value : $"{found}";
        Assert.Equal(sum ?? found, found);
        Assert.Equal(now == "" ? "n" : $"n={now}", _fixture.GetFields("d", "n"));

        // If the call changed nothing, it must not change the TTL.
        _fixture.Cache.TryGetTtl("d"u8, out long left);
        Assert.Equal(sum is null, left > 1000);
    }

    [Fact]
    public void Increment_of_missing_field_starts_at_0()
    {
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.DictionaryIncrement("d"u8, "n"u8, -7, new CollectionTtl(1000, false), out long sum));
        Assert.Equal(-7, sum);
        Assert.Equal("n=-7", _fixture.FetchFields("d"));
    }

    [Fact]
    public void TTL_is_set_on_creation_and_changed_only_on_refresh()
    {
        _fixture.SetFields("d", new CollectionTtl(1000, Refresh: false), "a=1");
        _fixture.SetFields("d", new CollectionTtl(5000, Refresh: false), "b=2");
        Assert.True(_fixture.Cache.TryGetTtl("d"u8, out long left));
        Assert.Equal(999, left);
        _fixture.SetFields("d", new CollectionTtl(5000, Refresh: true), "c=3");
        Assert.True(_fixture.Cache.TryGetTtl("d"u8, out left));
        Assert.Equal(4999, left);
        _fixture.Store.Clock.AdvanceMs(5000);
        Assert.Equal("Missing", _fixture.FetchFields("d"));
    }

    [Fact]
    public void TTL_can_be_refreshed_10_000_times()
    {
        for (int i = 1; i <= 10_000; i++)
        {
            _fixture.SetFields("d", new CollectionTtl(100_000 + i, Refresh: true), "a=1");
        }

        Assert.True(_fixture.Cache.TryGetTtl("d"u8, out long left));
        Assert.Equal(109_999, left);
    }

    [Theory]
    [InlineData(128)]
    [InlineData(129)]
    [InlineData(512)]
    [InlineData(513)]
    [InlineData(5130)]
    [InlineData(1000)]
    [InlineData(100_000)]
    public void Many_fields_can_be_read_replaced_and_deleted(int count)
    {
        foreach (int[] part in Enumerable.Range(0, count).Chunk(1000))
        {
            _fixture.SetFields("d", [.. part.Select(i => $"field {i}=value {i}")]);
        }

        _fixture.Store.Store.AssertValid();
        for (int i = 0; i < count; i += 7)
        {
            _fixture.SetFields("d", $"field {i}=a longer value {i}");
        }

        Assert.Equal("field 0=a longer value 0 field 1=value 1 -field", _fixture.GetFields("d", "field 0", "field 1", "field"));
        for (int i = 1; i < count; i++)
        {
            (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack($"field {i}");
            _fixture.Cache.DictionaryDelete("d"u8, new CollectionBatch(bytes, items));
        }

        _fixture.Store.Store.AssertValid();
        Assert.Equal("field 0=a longer value 0", _fixture.FetchFields("d"));
    }

    [Fact]
    public void Fetch_above_response_limit_fails_and_counts_no_hit()
    {
        _fixture.SetFields("d", "a=12345", "b=12345");
        TextSink sink = new([]);
        Assert.Equal(CollectionOutcome.TooLarge, _fixture.Cache.DictionaryFetch("d"u8, new AnswerLimit(31, 10), ref sink));
        Assert.Empty(sink.Shown);
        Assert.Equal(0, _fixture.Store.Store.GetStatistics().Hits);
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.DictionaryFetch("d"u8, new AnswerLimit(32, 10), ref sink));
        Assert.Equal(2, sink.Shown.Count);
        Assert.Equal(1, _fixture.Store.Store.GetStatistics().Hits);
    }

    [Fact]
    public void Dictionary_stays_usable_after_write_above_size_limit_fails()
    {
        using CollectionFixture small = new(4L << 20);
        CollectionOutcome outcome = CollectionOutcome.Ok;
        long fields = 0;
        while (outcome == CollectionOutcome.Ok)
        {
            outcome = small.SetFields("d", $"field {fields}={new string('x', 1000)}");
            fields += outcome == CollectionOutcome.Ok ? 1 : 0;
        }

        Assert.Equal(CollectionOutcome.Full, outcome);
        small.Cache.DictionaryLength("d"u8, out long length);
        Assert.Equal(fields, length);
        Assert.InRange(small.Store.Store.CollectionBytes, 0, small.Store.Store.MaxCollectionBytes);
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack([.. Enumerable.Range(0, 100).Select(i => $"field {i}")]);
        Assert.Equal(CollectionOutcome.Ok, small.Cache.DictionaryDelete("d"u8, new CollectionBatch(bytes, items)));
        Assert.Equal(CollectionOutcome.Ok, small.SetFields("d", "more=1"));
    }
}
