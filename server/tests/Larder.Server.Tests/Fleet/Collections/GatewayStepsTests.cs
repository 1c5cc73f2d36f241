using System.Globalization;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls.Collections;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>Tests of requests and responses with more elements than one command may have.</summary>
[Collection(GatewayServer.Name)]
public sealed class GatewayStepsTests(GatewayServer server)
{
    // The number of elements requires three steps. The last step has fewer elements than the others.
    private const int Many = 40_000;

    [Fact]
    public async Task FLEET_13_long_list_keeps_order_when_concatenated_and_truncated()
    {
        ByteString name = server.NewKey();
        ListConcatenateFrontRequest gateway = new() { Name = name, Values = { Texts(0, Many) }, TtlMs = 60_000 };
        Assert.Equal((uint)Many, (await OkAsync<ListConcatenateFrontResponse>(gateway)).Length);
        ListConcatenateBackRequest back = new() { Name = name, Values = { Texts(Many, Many) }, TtlMs = 60_000 };
        Assert.Equal(2u * Many, (await OkAsync<ListConcatenateBackResponse>(back)).Length);
        Assert.Equal(Texts(0, 2 * Many), await ListAsync(name));
        gateway = new() { Name = name, Values = { Texts(0, Many) }, TtlMs = 60_000, TruncateBackToSize = Many + 5 };
        Assert.Equal(Many + 5u, (await OkAsync<ListConcatenateFrontResponse>(gateway)).Length);
        Assert.Equal([.. Texts(0, Many), .. Texts(0, 5)], await ListAsync(name));
        gateway.TruncateBackToSize = 3;
        Assert.Equal(3u, (await OkAsync<ListConcatenateFrontResponse>(gateway)).Length);
        Assert.Equal(Texts(0, 3), await ListAsync(name));
        back.TruncateFrontToSize = 3;
        Assert.Equal(3u, (await OkAsync<ListConcatenateBackResponse>(back)).Length);
        Assert.Equal(Texts((2 * Many) - 3, 3), await ListAsync(name));
    }

    [Fact]
    public async Task FLEET_13_large_dictionary_can_be_set_read_and_deleted()
    {
        ByteString name = server.NewKey();
        DictionarySetRequest set = new() { Name = name, TtlMs = 60_000 };
        set.Items.AddRange(Texts(0, Many).Select(text => new DictionaryItem { Field = text, Value = text }));
        set.Items.Add(new DictionaryItem { Field = Text(0), Value = Text(7) });
        await OkAsync<DictionarySetResponse>(set);
        Assert.InRange(await server.RemainingMsAsync(name), 1ul, 59_999ul);
        Assert.Equal((uint)Many, (await OkAsync<DictionaryLengthResponse>(new DictionaryLengthRequest { Name = name })).Found.Length);
        DictionaryGetRequest get = new() { Name = name, Fields = { Texts(1, Many) } };
        DictionaryGetResponse got = await OkAsync<DictionaryGetResponse>(get);
        Assert.Equal([.. Texts(1, Many - 1), ByteString.Empty], got.Found.Parts.Select(part => part.Value));
        Assert.Equal(CacheResult.Miss, got.Found.Parts[^1].Result);
        Assert.Equal(CacheResult.Hit, got.Found.Parts[^2].Result);
        DictionaryFetchResponse all = await OkAsync<DictionaryFetchResponse>(new DictionaryFetchRequest { Name = name });
        Assert.Equal(Many, all.Found.Items.Count);
        Assert.All(all.Found.Items, item => Assert.Equal(item.Field == Text(0) ? Text(7) : item.Field, item.Value));
        await OkAsync<DictionaryDeleteResponse>(new DictionaryDeleteRequest { Name = name, Some = new() { Fields = { Texts(0, Many - 1) } } });
        Assert.Equal(1u, (await OkAsync<DictionaryLengthResponse>(new DictionaryLengthRequest { Name = name })).Found.Length);
        await OkAsync<DictionaryDeleteResponse>(new DictionaryDeleteRequest { Name = name, Some = new() { Fields = { Texts(0, Many) } } });
        Assert.NotNull((await OkAsync<DictionaryGetResponse>(get)).Missing);
    }

    [Fact]
    public async Task FLEET_13_large_set_can_be_united_sampled_popped_and_subtracted()
    {
        ByteString name = server.NewKey();
        await OkAsync<SetUnionResponse>(new SetUnionRequest { Name = name, Elements = { Texts(0, Many) }, TtlMs = 60_000 });
        SetContainsResponse contains = await OkAsync<SetContainsResponse>(new SetContainsRequest { Name = name, Elements = { Texts(Many / 2, Many) } });
        Assert.Equal(Enumerable.Range(0, Many).Select(number => number < Many / 2), contains.Found.Contains);
        SetFetchResponse all = await OkAsync<SetFetchResponse>(new SetFetchRequest { Name = name });
        Assert.Equal(Texts(0, Many), all.Found.Elements.OrderBy(Number));
        foreach (int count in new[] { 17, 900, 20_000, Many })
        {
            SetSampleResponse sample = await OkAsync<SetSampleResponse>(new SetSampleRequest { Name = name, Limit = (ulong)count });
            Assert.Equal(count, sample.Found.Elements.Distinct().Count());
            Assert.Equal(count, sample.Found.Elements.Count);
        }

        SetPopResponse popped = await OkAsync<SetPopResponse>(new SetPopRequest { Name = name, Count = 10_000 });
        SetFetchResponse left = await OkAsync<SetFetchResponse>(new SetFetchRequest { Name = name });
        Assert.Equal(Texts(0, Many), popped.Found.Elements.Concat(left.Found.Elements).OrderBy(Number));
        SetDifferenceRequest difference = new() { Name = name, Subtrahend = new() { Set = new() { Elements_ = { Texts(0, Many) } } } };
        Assert.NotNull((await OkAsync<SetDifferenceResponse>(difference)).Found);
        Assert.NotNull((await OkAsync<SetDifferenceResponse>(difference)).Missing);
    }

    [Fact]
    public async Task FLEET_13_large_sorted_set_can_be_put_fetched_and_removed()
    {
        ByteString name = server.NewKey();
        SortedSetPutRequest put = new() { Name = name, TtlMs = 60_000 };
        put.Elements.AddRange(Enumerable.Range(0, Many).Select(number => new SortedSetElement { Value = Text(number), Score = number }));
        await OkAsync<SortedSetPutResponse>(put);
        SortedSetGetScoreResponse scores = await OkAsync<SortedSetGetScoreResponse>(new SortedSetGetScoreRequest { Name = name, Values = { Texts(1, Many) } });
        Assert.Equal([.. Enumerable.Range(1, Many - 1).Select(number => (double)number), 0], scores.Found.Parts.Select(part => part.Score));
        Assert.Equal(CacheResult.Miss, scores.Found.Parts[^1].Result);
        Assert.Equal(Texts(0, Many), await SortedAsync(new() { Name = name, ByIndex = new() }));
        SortedSetFetchRequest byScore = new()
        {
            Name = name,
            Order = SortedSetOrder.Descending,
            ByScore = new() { MinScore = new() { Score = 1_000, Exclusive = true }, MaxScore = new() { Score = Many - 100 }, Offset = 50, Count = 30_000 },
        };
        Assert.Equal(Texts(Many - 150 - 29_999, 30_000).Reverse(), await SortedAsync(byScore));
        byScore.Order = SortedSetOrder.Ascending;
        Assert.Equal(Texts(1_051, 30_000), await SortedAsync(byScore));
        byScore.ByScore.Count = 100;
        byScore.Order = SortedSetOrder.Descending;
        Assert.Equal(Texts(Many - 249, 100).Reverse(), await SortedAsync(byScore));
        Assert.Equal(Texts(20, Many - 40).Reverse(), await SortedAsync(new()
        {
            Name = name,
            Order = SortedSetOrder.Descending,
            ByIndex = new() { InclusiveStart = 20, ExclusiveEnd = -20 },
        }));
        await OkAsync<SortedSetRemoveResponse>(new SortedSetRemoveRequest { Name = name, Some = new() { Values = { Texts(0, Many) } } });
        Assert.False(await server.ExistsAsync(name));
    }

    [Fact]
    public async Task FLEET_14_large_union_replaces_destination_and_leaves_no_temporary_keys()
    {
        ByteString[] sources = [server.NewKey(), server.NewKey(), server.NewKey()];
        foreach ((int index, ByteString source) in sources.Index())
        {
            SortedSetPutRequest put = new() { Name = source, TtlMs = 60_000 };
            put.Elements.AddRange(Enumerable.Range(index * 10_000, 20_000).Select(number => new SortedSetElement { Value = Text(number), Score = number }));
            await OkAsync<SortedSetPutResponse>(put);
        }

        ByteString into = server.NewKey();
        await OkAsync<SortedSetPutResponse>(new SortedSetPutRequest
        {
            Name = into,
            Elements = { new SortedSetElement { Value = Text(-1), Score = 1 } },
            TtlMs = 60_000,
        });
        SortedSetUnionStoreRequest union = new() { Name = into, TtlMs = 3_600_000 };
        union.Sources.AddRange(sources.Select((source, index) => new SortedSetUnionStoreRequest.Types.Source { Name = source, Weight = index + 1 }));
        Assert.Equal((uint)Many, (await OkAsync<SortedSetUnionStoreResponse>(union)).Length);
        Assert.InRange(await server.RemainingMsAsync(into), 60_000ul, 3_599_999ul);
        SortedSetFetchRequest all = new() { Name = into, WithScores = true, ByIndex = new() };
        SortedSetFetchResponse fetched = await OkAsync<SortedSetFetchResponse>(all);
        Assert.Equal(Many, fetched.Found.WithScores.Elements.Count);
        Assert.All(fetched.Found.WithScores.Elements, element =>
        {
            long number = Number(element.Value);
            long weights = Enumerable.Range(0, 3).Where(index => number >= index * 10_000 && number < (index * 10_000) + 20_000).Sum(index => index + 1);
            Assert.Equal(number * weights, element.Score);
        });
        Assert.All(server.Cluster.Servers, node => Assert.Equal("", node.Ask("keys", "LU:*").Trim()));
    }

    [Fact]
    public async Task FLEET_14_single_slot_union_equals_multi_slot_union_and_rejects_sets()
    {
        ByteString one = Bytes("{tag}one"), two = Bytes("{tag}two"), into = Bytes("{tag}into"), apart = server.NewKey();
        await OkAsync<SortedSetPutResponse>(Put(one, ("a", 1), ("b", double.PositiveInfinity), ("z", 0)));
        await OkAsync<SortedSetPutResponse>(Put(two, ("b", double.NegativeInfinity), ("c", 2.5)));
        foreach (SortedSetUnionStoreRequest.Types.Aggregate aggregate in Enum.GetValues<SortedSetUnionStoreRequest.Types.Aggregate>())
        {
            SortedSetUnionStoreRequest union = new() { Name = into, TtlMs = 60_000, Aggregate = aggregate };
            union.Sources.Add(new SortedSetUnionStoreRequest.Types.Source { Name = one, Weight = -1 });
            union.Sources.Add(new SortedSetUnionStoreRequest.Types.Source { Name = two, Weight = 0.1f });
            Assert.Equal(4u, (await OkAsync<SortedSetUnionStoreResponse>(union)).Length);
            union.Name = apart;
            Assert.Equal(4u, (await OkAsync<SortedSetUnionStoreResponse>(union)).Length);
            Assert.Equal(await ScoredAsync(apart), await ScoredAsync(into));
        }

        ByteString set = Bytes("{tag}set");
        await OkAsync<SetUnionResponse>(new SetUnionRequest { Name = set, Elements = { set }, TtlMs = 60_000 });
        SortedSetUnionStoreRequest refused = new() { Name = into, TtlMs = 60_000 };
        refused.Sources.Add(new SortedSetUnionStoreRequest.Types.Source { Name = set, Weight = 1 });
        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(Transport.Unary, refused));
        refused.Sources[0].Name = one;
        refused.Name = set;
        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(Transport.Unary, refused));
        refused.Name = server.NewKey();
        await OkAsync<SetUnionResponse>(new SetUnionRequest { Name = refused.Name, Elements = { set }, TtlMs = 60_000 });
        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(Transport.Unary, refused));
        Assert.Equal(4, (await ScoredAsync(into)).Count());
    }

    private static SortedSetPutRequest Put(ByteString name, params (string Value, double Score)[] elements)
    {
        SortedSetPutRequest put = new() { Name = name, TtlMs = 60_000 };
        put.Elements.AddRange(elements.Select(each => new SortedSetElement { Value = Bytes(each.Value), Score = each.Score }));
        return put;
    }

    private static ByteString Bytes(string text) => CollectionServer.Bytes(text);

    private static ByteString Text(int number) => Bytes(number.ToString(CultureInfo.InvariantCulture));

    private static ByteString[] Texts(int first, int count) => [.. Enumerable.Range(first, count).Select(Text)];

    private static int Number(ByteString text) => int.Parse(text.ToStringUtf8(), CultureInfo.InvariantCulture);

    private async Task<IEnumerable<ByteString>> ListAsync(ByteString name) =>
        (await OkAsync<ListFetchResponse>(new ListFetchRequest { Name = name })).Found.Elements;

    private async Task<IEnumerable<ByteString>> SortedAsync(SortedSetFetchRequest fetch)
    {
        IEnumerable<ByteString> values = (await OkAsync<SortedSetFetchResponse>(fetch)).Found.Values.Values_;
        fetch.WithScores = true;
        IEnumerable<SortedSetElement> scored = (await OkAsync<SortedSetFetchResponse>(fetch)).Found.WithScores.Elements;
        fetch.WithScores = false;
        Assert.Equal(values, scored.Select(element => element.Value));
        Assert.All(scored, element => Assert.Equal(Number(element.Value), element.Score));
        return values;
    }

    private async Task<IEnumerable<(ByteString, double)>> ScoredAsync(ByteString name)
    {
        SortedSetFetchRequest all = new() { Name = name, WithScores = true, ByIndex = new() };
        return (await OkAsync<SortedSetFetchResponse>(all)).Found.WithScores.Elements.Select(element => (element.Value, element.Score));
    }

    private Task<TResponse> OkAsync<TResponse>(IMessage request)
        where TResponse : class, IMessage<TResponse>, new() => server.OkAsync<TResponse>(Transport.Unary, request);
}
