using Google.Protobuf;
using Larder.Client.Operations;
using Larder.Wire.Protobuf;

namespace Larder.Client.Tests.Operations;

/// <summary>Tests that the generated code reads messages that the collection encoders have written.</summary>
public sealed class CollectionRequestTests
{
    private static readonly WireTtl s_refreshed = new(5_000, Refreshes: true);
    private static readonly WireTtl s_kept = new(31_536_000_000, Refreshes: false);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(16_384)]
    public void Element_lists_of_any_length_are_encoded_in_order(int length)
    {
        CacheBytes[] elements = [.. Enumerable.Range(0, length).Select(static n => n % 2 == 0 ? (CacheBytes)$"é{n}" : new byte[] { (byte)n, 255 }), ""];
        ByteString[] sent = [.. elements.Select(static each => ByteString.CopyFrom(each.ToArray()))];
        Assert.Equal(sent, Parse<Protocol.DictionaryGetRequest, DictionaryGetOperation, LookupResult<IReadOnlyList<CacheValue?>>>(new("d", elements)).Fields);
        Assert.Equal(sent, Parse<Protocol.DictionaryDeleteRequest, DictionaryRemoveOperation, CacheResult>(new("d", elements)).Some.Fields);
        Assert.Equal(sent, Parse<Protocol.SetUnionRequest, SetUnionOperation, CacheResult>(new("s", elements, s_kept)).Elements);
        Assert.Equal(sent, Parse<Protocol.SetContainsRequest, SetContainsOperation, LookupResult<IReadOnlyList<bool>>>(new("s", elements)).Elements);
        Assert.Equal(
            sent,
            Parse<Protocol.SetDifferenceRequest, SetDifferenceOperation, CacheResult<bool>>(new("s", elements)).Subtrahend.Set.Elements_);
        Assert.Equal(sent, Parse<Protocol.SetDifferenceRequest, SetDifferenceFromOperation, CacheResult<bool>>(new("s", elements)).Minuend.Elements_);
        Assert.Equal(
            sent,
            Parse<Protocol.SortedSetGetScoreRequest, SortedSetGetScoreOperation, LookupResult<IReadOnlyList<double?>>>(new("z", elements)).Values);
        Assert.Equal(sent, Parse<Protocol.SortedSetRemoveRequest, SortedSetRemoveOperation, CacheResult>(new("z", elements)).Some.Values);
        Protocol.ListConcatenateBackRequest back =
            Parse<Protocol.ListConcatenateBackRequest, ListConcatenateBackOperation, CacheResult<int>>(new("l", elements, s_refreshed, length));
        Assert.Equal(sent, back.Values);
        Assert.Equal((5_000UL, true, (uint)length), (back.TtlMs, back.RefreshTtl, back.TruncateFrontToSize));
    }

    [Fact]
    public void Dictionary_requests_encode_fields_and_values()
    {
        Protocol.DictionarySetRequest read = Parse<Protocol.DictionarySetRequest, DictionarySetOperation, CacheResult>(
            new("d", [new("a", "1"), new(new byte[300], ""), new("a", new byte[70_000])], s_kept));
        Assert.Equal([("a", 1), (new string('\0', 300), 0), ("a", 70_000)], read.Items.Select(static item => (item.Field.ToStringUtf8(), item.Value.Length)));
        Assert.Equal(("d", 31_536_000_000UL, false), (read.Name.ToStringUtf8(), read.TtlMs, read.RefreshTtl));
        Protocol.DictionaryDeleteRequest all = Parse<Protocol.DictionaryDeleteRequest, DictionaryDeleteOperation, CacheResult>(new("d"));
        Assert.Equal(Protocol.DictionaryDeleteRequest.FieldsOneofCase.All, all.FieldsCase);
        Protocol.DictionaryIncrementRequest increment =
            Parse<Protocol.DictionaryIncrementRequest, DictionaryIncrementOperation, CacheResult<long>>(new("d", "f", -1, s_refreshed));
        Assert.Equal(("f", -1L, 5_000UL, true), (increment.Field.ToStringUtf8(), increment.Amount, increment.TtlMs, increment.RefreshTtl));
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData(0, null)]
    [InlineData(null, 0)]
    [InlineData(-1, 1)]
    [InlineData(int.MinValue, int.MaxValue)]
    [InlineData(64, -65)]
    public void Index_bounds_are_encoded_or_marked_unbounded(int? start, int? end)
    {
        Protocol.ListFetchRequest fetch = Parse<Protocol.ListFetchRequest, ListFetchOperation, LookupResult<IReadOnlyList<CacheValue>>>(new("l", start, end));
        Assert.Equal(start is null, fetch.StartCase == Protocol.ListFetchRequest.StartOneofCase.UnboundedStart);
        Assert.Equal(end is null, fetch.EndCase == Protocol.ListFetchRequest.EndOneofCase.UnboundedEnd);
        Assert.Equal((start ?? 0, end ?? 0), (fetch.InclusiveStart, fetch.ExclusiveEnd));
        Protocol.ListRetainRequest retain = Parse<Protocol.ListRetainRequest, ListRetainOperation, LookupResult<int>>(new("l", start, end, default));
        Assert.Equal((start ?? 0, end ?? 0, 0UL, false), (retain.InclusiveStart, retain.ExclusiveEnd, retain.TtlMs, retain.RefreshTtl));
        Protocol.SortedSetFetchRequest ranks = Parse<Protocol.SortedSetFetchRequest, SortedSetFetchByRankOperation, LookupResult<IReadOnlyList<ScoredElement>>>(
            new("z", SortedSetOrder.Descending, start, end));
        Assert.Equal((Protocol.SortedSetOrder.Descending, true), (ranks.Order, ranks.WithScores));
        Assert.Equal((start ?? 0, end ?? 0), (ranks.ByIndex.InclusiveStart, ranks.ByIndex.ExclusiveEnd));
        Assert.Equal(start is null, ranks.ByIndex.UnboundedStart is not null);
        Assert.Equal(end is null, ranks.ByIndex.UnboundedEnd is not null);
    }

    [Fact]
    public void Score_bounds_are_encoded_as_inclusive_or_exclusive()
    {
        Protocol.SortedSetFetchRequest read = Parse<Protocol.SortedSetFetchRequest, SortedSetFetchByScoreOperation, LookupResult<IReadOnlyList<ScoredElement>>>(
            new("z", SortedSetOrder.Ascending, ScoreBound.Exclusive(1.5), double.PositiveInfinity, 300, -1));
        Assert.Equal((1.5, true), (read.ByScore.MinScore.Score, read.ByScore.MinScore.Exclusive));
        Assert.Equal((double.PositiveInfinity, false), (read.ByScore.MaxScore.Score, read.ByScore.MaxScore.Exclusive));
        Assert.Equal((300U, -1), (read.ByScore.Offset, read.ByScore.Count));
        read = Parse<Protocol.SortedSetFetchRequest, SortedSetFetchByScoreOperation, LookupResult<IReadOnlyList<ScoredElement>>>(
            new("z", SortedSetOrder.Ascending, null, null, 0, int.MaxValue));
        Assert.True(read.ByScore is { UnboundedMin: not null, UnboundedMax: not null, Count: int.MaxValue });
        Protocol.SortedSetLengthByScoreRequest length = Length(ScoreBound.Inclusive(-1), ScoreBound.Exclusive(2));
        Assert.Equal(
            (Protocol.SortedSetLengthByScoreRequest.MinOneofCase.InclusiveMin, -1.0, Protocol.SortedSetLengthByScoreRequest.MaxOneofCase.ExclusiveMax, 2.0),
            (length.MinCase, length.InclusiveMin, length.MaxCase, length.ExclusiveMax));
        length = Length(ScoreBound.Exclusive(0), 0);
        Assert.Equal(
            (Protocol.SortedSetLengthByScoreRequest.MinOneofCase.ExclusiveMin, Protocol.SortedSetLengthByScoreRequest.MaxOneofCase.InclusiveMax),
            (length.MinCase, length.MaxCase));
        length = Length(null, null);
        Assert.True(length is { UnboundedMin: not null, UnboundedMax: not null });

        static Protocol.SortedSetLengthByScoreRequest Length(ScoreBound? min, ScoreBound? max) =>
            Parse<Protocol.SortedSetLengthByScoreRequest, SortedSetLengthByScoreOperation, LookupResult<int>>(new("z", min, max));
    }

    [Fact]
    public void Collection_requests_encode_scores_ranges_weights_and_amounts()
    {
        Protocol.SortedSetPutRequest put = Parse<Protocol.SortedSetPutRequest, SortedSetPutOperation, CacheResult>(
            new("z", [new("a", double.NegativeInfinity), new("", 0), new("b", -1.25)], s_refreshed));
        Assert.Equal([("a", double.NegativeInfinity), ("", 0), ("b", -1.25)], put.Elements.Select(static each => (each.Value.ToStringUtf8(), each.Score)));
        Protocol.ListEraseRequest erase = Parse<Protocol.ListEraseRequest, ListEraseOperation, LookupResult<int>>(
            new("l", [new(0, 0), new(int.MaxValue, int.MaxValue), new(127, 128)]));
        Assert.Equal([(0U, 0U), (int.MaxValue, int.MaxValue), (127, 128)], erase.Some.Ranges.Select(static each => (each.Begin, each.Count)));
        Protocol.SortedSetUnionStoreRequest union = Parse<Protocol.SortedSetUnionStoreRequest, SortedSetUnionStoreOperation, CacheResult<int>>(
            new("z", [new("x", 0.5f), new("y", float.PositiveInfinity)], SortedSetAggregate.Max, 60_000));
        Assert.Equal([("x", 0.5f), ("y", float.PositiveInfinity)], union.Sources.Select(static each => (each.Name.ToStringUtf8(), each.Weight)));
        Assert.Equal((Protocol.SortedSetUnionStoreRequest.Types.Aggregate.Max, 60_000UL), (union.Aggregate, union.TtlMs));
        Protocol.SortedSetIncrementRequest increment =
            Parse<Protocol.SortedSetIncrementRequest, SortedSetIncrementOperation, CacheResult<double>>(new("z", "e", -0.5, s_kept));
        Assert.Equal(("e", -0.5, false), (increment.Value.ToStringUtf8(), increment.Amount, increment.RefreshTtl));
        Protocol.SetSampleRequest sample =
            Parse<Protocol.SetSampleRequest, SetSampleOperation, LookupResult<IReadOnlyList<CacheValue>>>(new("s", long.MaxValue));
        Assert.Equal((ulong)long.MaxValue, sample.Limit);
        Assert.Equal(3U, Parse<Protocol.SetPopRequest, SetPopOperation, LookupResult<IReadOnlyList<CacheValue>>>(new("s", 3)).Count);
    }

    [Fact]
    public void List_requests_encode_an_empty_value_and_every_option()
    {
        Protocol.ListRemoveRequest remove = Parse<Protocol.ListRemoveRequest, ListRemoveOperation, LookupResult<int>>(new("l", ""));
        Assert.Equal(Protocol.ListRemoveRequest.ElementsOneofCase.AllWithValue, remove.ElementsCase);
        Protocol.ListPushFrontRequest push = Parse<Protocol.ListPushFrontRequest, ListPushFrontOperation, CacheResult<int>>(new("l", "v", s_refreshed, 9));
        Assert.Equal(("l", "v"), (push.Name.ToStringUtf8(), push.Value.ToStringUtf8()));
        Assert.Equal((5_000UL, true, 9U), (push.TtlMs, push.RefreshTtl, push.TruncateBackToSize));
    }

    private static TMessage Parse<TMessage, TOperation, TResponse>(TOperation operation)
        where TMessage : IMessage<TMessage>, new()
        where TOperation : IOperation<TOperation, TResponse>
        where TResponse : class
    {
        byte[] encoded = new byte[operation.Measure()];
        ProtoWriter writer = new(encoded);
        operation.Write(ref writer);
        Assert.Equal(encoded.Length, writer.Written);
        TMessage message = new();
        message.MergeFrom(encoded);
        return message;
    }
}
