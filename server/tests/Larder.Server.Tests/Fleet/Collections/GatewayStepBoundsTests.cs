using System.Globalization;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Fleet;
using Larder.Server.Tests.Calls.Collections;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>Tests of calls at the limits of one command, slightly above these limits, and far above them.</summary>
[Collection(GatewayServer.Name)]
public sealed class GatewayStepBoundsTests(GatewayServer server)
{
    [Theory]
    [InlineData(FleetLimits.LightElements)]
    [InlineData(FleetLimits.LightElements + 1)]
    [InlineData(FleetLimits.LightElements * 10)]
    [InlineData(FleetLimits.ElementsPerStep + 1)]
    public async Task FLEET_13_fetch_returns_all_elements_of_a_large_collection(int count)
    {
        ByteString[] texts = [.. Enumerable.Range(0, count).Select(Text)];
        ByteString set = server.NewKey(), dictionary = server.NewKey(), list = server.NewKey(), sorted = server.NewKey();
        await OkAsync<SetUnionResponse>(new SetUnionRequest { Name = set, Elements = { texts }, TtlMs = 60_000 });
        await OkAsync<ListConcatenateBackResponse>(new ListConcatenateBackRequest { Name = list, Values = { texts }, TtlMs = 60_000 });
        DictionarySetRequest fields = new() { Name = dictionary, TtlMs = 60_000 };
        fields.Items.AddRange(texts.Select(text => new DictionaryItem { Field = text, Value = text }));
        await OkAsync<DictionarySetResponse>(fields);
        SortedSetPutRequest put = new() { Name = sorted, TtlMs = 60_000 };
        put.Elements.AddRange(texts.Select((text, index) => new SortedSetElement { Value = text, Score = index }));
        await OkAsync<SortedSetPutResponse>(put);
        Assert.Equal(texts, (await OkAsync<SetFetchResponse>(new SetFetchRequest { Name = set })).Found.Elements.OrderBy(Number));
        SetSampleResponse sample = await OkAsync<SetSampleResponse>(new SetSampleRequest { Name = set, Limit = (ulong)count });
        Assert.Equal(texts, sample.Found.Elements.OrderBy(Number));
        sample = await OkAsync<SetSampleResponse>(new SetSampleRequest { Name = set, Limit = (ulong)count / 4 });
        Assert.Equal(count / 4, sample.Found.Elements.Distinct().Count());
        DictionaryFetchResponse items = await OkAsync<DictionaryFetchResponse>(new DictionaryFetchRequest { Name = dictionary });
        Assert.Equal(texts, items.Found.Items.Select(item => item.Field).OrderBy(Number));
        Assert.All(items.Found.Items, item => Assert.Equal(item.Field, item.Value));
        Assert.Equal(texts, (await OkAsync<ListFetchResponse>(new ListFetchRequest { Name = list })).Found.Elements);
        SortedSetFetchRequest byScore = new() { Name = sorted, WithScores = true, ByScore = new() { Count = -1 } };
        Assert.Equal(texts, (await OkAsync<SortedSetFetchResponse>(byScore)).Found.WithScores.Elements.Select(element => element.Value));
    }

    [Theory]
    [InlineData(FleetLimits.LightListElements)]
    [InlineData(FleetLimits.LightListElements + 1)]
    [InlineData(FleetLimits.ListElementsPerStep)]
    [InlineData(FleetLimits.ListElementsPerStep + 1)]
    [InlineData(FleetLimits.ListElementsPerStep * 10)]
    public async Task FLEET_13_ListRemove_removes_matches_anywhere_in_a_long_list(int count)
    {
        ByteString name = server.NewKey();
        ByteString match = CollectionServer.Bytes("x");
        int[] places = [0, 1, count / 4, (count / 2) - 1, count / 2, (count / 2) + 1, count - 2, count - 1];
        ListConcatenateBackRequest push = new() { Name = name, TtlMs = 60_000 };
        push.Values.AddRange(Enumerable.Range(0, count).Select(index => places.Contains(index) ? match : CollectionServer.Bytes("e")));
        await OkAsync<ListConcatenateBackResponse>(push);
        ListRemoveRequest remove = new() { Name = name, AllWithValue = match };
        Assert.Equal((uint)(count - places.Length), (await OkAsync<ListRemoveResponse>(remove)).Found.Length);
        Assert.Equal((uint)(count - places.Length), (await OkAsync<ListRemoveResponse>(remove)).Found.Length);
    }

    [Theory]
    [InlineData(FleetLimits.LightElements, true)]
    [InlineData(FleetLimits.LightElements + 1, true)]
    [InlineData(FleetLimits.MaxElementsTotal, true)]
    [InlineData(FleetLimits.MaxElementsTotal + 1, false)]
    [InlineData(FleetLimits.MaxElementsTotal * 10, false)]
    public async Task FLEET_13_SetPop_removes_elements_up_to_the_limit(int count, bool isTaken)
    {
        ByteString name = server.NewKey();
        await OkAsync<SetUnionResponse>(new SetUnionRequest { Name = name, Elements = { Enumerable.Range(0, count + 1).Select(Text) }, TtlMs = 60_000 });
        SetPopRequest pop = new() { Name = name, Count = (uint)count };
        if (isTaken)
        {
            Assert.Equal(count, (await OkAsync<SetPopResponse>(pop)).Found.Elements.Distinct().Count());
        }
        else
        {
            Assert.Equal(StatusCode.ResourceExhausted, (await server.FailAsync(Transport.Unary, pop)).Code);
        }

        SetLengthResponse length = await OkAsync<SetLengthResponse>(new SetLengthRequest { Name = name });
        Assert.Equal(isTaken ? 1u : (uint)count + 1, length.Found.Length);
    }

    [Theory]
    [InlineData(Transport.Unary, FleetLimits.LightBytes)]
    [InlineData(Transport.Unary, FleetLimits.LightBytes + 1)]
    [InlineData(Transport.Unary, FleetLimits.LightBytes * 10)]
    [InlineData(Transport.Pipeline, FleetLimits.LightBytes)]
    [InlineData(Transport.Pipeline, FleetLimits.LightBytes + 1)]
    [InlineData(Transport.Pipeline, FleetLimits.LightBytes * 10)]
    public async Task SetIfHash_compares_values_of_any_size(Transport transport, int bytes)
    {
        ByteString key = server.NewKey();
        ByteString value = ByteString.CopyFrom(new byte[bytes]);
        SetIfHashRequest set = new() { Key = key, Value = value, TtlMs = 60_000, Unconditional = new() };
        ByteString hash = (await server.OkAsync<SetIfHashResponse>(transport, set)).Stored.NewHash;
        GetWithHashResponse got = await server.OkAsync<GetWithHashResponse>(Transport.Unary, new GetWithHashRequest { Key = key });
        Assert.Equal((value, hash), (got.Found.Value, got.Found.Hash));
        set = new() { Key = key, Value = value, TtlMs = 60_000, PresentAndHashEqual = new() { Hash = ByteString.CopyFrom(new byte[16]) } };
        Assert.Equal(SetIfHashResponse.OutcomeOneofCase.NotStored, (await server.OkAsync<SetIfHashResponse>(transport, set)).OutcomeCase);
        set.PresentAndHashEqual.Hash = hash;
        Assert.Equal(hash, (await server.OkAsync<SetIfHashResponse>(transport, set)).Stored.NewHash);
    }

    private static ByteString Text(int number) => CollectionServer.Bytes(number.ToString(CultureInfo.InvariantCulture));

    private static int Number(ByteString text) => int.Parse(text.ToStringUtf8(), CultureInfo.InvariantCulture);

    private Task<TResponse> OkAsync<TResponse>(IMessage request)
        where TResponse : class, IMessage<TResponse>, new() => server.OkAsync<TResponse>(Transport.Unary, request);
}
