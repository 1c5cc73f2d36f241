using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;
using ItemType = Larder.Protocol.ItemGetTypeResponse.Types.ItemType;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>
/// Tests of the rules for all collection calls (COLL). One derived class runs the tests on the in-memory store, and another one on a gateway.
/// </summary>
public abstract class CollectionRulesTests(CollectionServer server)
{
    private const int ItemLimit = 5_000_192;

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task COLL_1_call_on_key_of_another_type_fails_and_changes_nothing(Transport transport)
    {
        ByteString list = await ListAsync("a", "b");
        foreach (IMessage request in Calls(list).Where(call => !call.Descriptor.Name.StartsWith("List", StringComparison.Ordinal)))
        {
            Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(transport, request));
        }

        ByteString scalar = server.NewKey();
        await server.OkAsync<SetResponse>(transport, new SetRequest { Key = scalar, Value = scalar, TtlMs = 60_000 });
        foreach (IMessage request in Calls(scalar))
        {
            Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(transport, request));
        }

        Assert.Equal(2u, (await server.OkAsync<ListLengthResponse>(transport, new ListLengthRequest { Name = list })).Found.Length);
        Assert.Equal(scalar, (await server.OkAsync<GetResponse>(transport, new GetRequest { Key = scalar })).Value);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task COLL_2_calls_for_type_TTL_existence_and_deletion_accept_collections(Transport transport)
    {
        ByteString value = CollectionServer.Bytes("1");
        (IMessage Write, ItemType Type)[] writes =
        [
            (new DictionarySetRequest { Name = server.NewKey(), Items = { new DictionaryItem { Field = value } }, TtlMs = 60_000 }, ItemType.Dictionary),
            (new SetUnionRequest { Name = server.NewKey(), Elements = { value }, TtlMs = 60_000 }, ItemType.Set),
            (new ListConcatenateBackRequest { Name = server.NewKey(), Values = { value }, TtlMs = 60_000 }, ItemType.List),
            (new SortedSetPutRequest { Name = server.NewKey(), Elements = { new SortedSetElement { Value = value } }, TtlMs = 60_000 }, ItemType.SortedSet),
        ];
        foreach ((IMessage write, ItemType type) in writes)
        {
            ByteString key = (ByteString)write.Descriptor.FindFieldByName("name").Accessor.GetValue(write);
            Assert.NotEqual(Result.OutcomeOneofCase.Status, (await server.RunAsync(write)).OutcomeCase);
            Assert.Equal(type, (await server.OkAsync<ItemGetTypeResponse>(transport, new ItemGetTypeRequest { Key = key })).Found.Type);
            Assert.True((await server.OkAsync<KeysExistResponse>(transport, new KeysExistRequest { Keys = { key } })).Exists[0]);
            Assert.NotNull((await server.OkAsync<UpdateTtlResponse>(transport, new UpdateTtlRequest { Key = key, IncreaseToMs = 3_000_000 })).Set);
            Assert.InRange((await server.OkAsync<ItemGetTtlResponse>(transport, new ItemGetTtlRequest { Key = key })).Found.RemainingMs, 60_000ul, 2_999_999ul);
            await server.OkAsync<DeleteResponse>(transport, new DeleteRequest { Key = key });
            Assert.False(await server.ExistsAsync(key));
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task COLL_3_scalar_read_or_comparison_of_a_collection_fails(Transport transport)
    {
        ByteString list = await ListAsync("a");
        Comparand compared = new() { Value = list };
        HashComparand hashed = new() { Hash = list };
        IMessage[] refused =
        [
            new GetRequest { Key = list },
            new GetWithHashRequest { Key = list },
            new IncrementRequest { Key = list, Amount = 1, TtlMs = 60_000 },
            new SetIfRequest { Key = list, TtlMs = 60_000, Equal = compared },
            new SetIfRequest { Key = list, TtlMs = 60_000, NotEqual = compared },
            new SetIfRequest { Key = list, TtlMs = 60_000, PresentAndNotEqual = compared },
            new SetIfRequest { Key = list, TtlMs = 60_000, AbsentOrEqual = compared },
            new SetIfHashRequest { Key = list, TtlMs = 60_000, PresentAndHashEqual = hashed },
            new SetIfHashRequest { Key = list, TtlMs = 60_000, PresentAndNotHashEqual = hashed },
            new SetIfHashRequest { Key = list, TtlMs = 60_000, AbsentOrHashEqual = hashed },
            new SetIfHashRequest { Key = list, TtlMs = 60_000, AbsentOrNotHashEqual = hashed },
        ];
        foreach (IMessage request in refused)
        {
            Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(transport, request));
        }

        SetIfRequest absent = new() { Key = list, TtlMs = 60_000, Absent = new Empty() };
        Assert.NotNull((await server.OkAsync<SetIfResponse>(transport, absent)).NotStored);
        Assert.NotNull((await server.OkAsync<SetIfNotExistsResponse>(transport, new SetIfNotExistsRequest { Key = list, TtlMs = 60_000 })).NotStored);
        Assert.Equal(1u, (await server.OkAsync<ListLengthResponse>(transport, new ListLengthRequest { Name = list })).Found.Length);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task COLL_4_set_without_value_condition_replaces_a_collection(Transport transport)
    {
        ByteString key = await ListAsync("a");
        await server.OkAsync<SetResponse>(transport, new SetRequest { Key = key, Value = key, TtlMs = 60_000 });
        Assert.Equal(key, (await server.OkAsync<GetResponse>(transport, new GetRequest { Key = key })).Value);
        key = await ListAsync("a");
        SetIfRequest present = new() { Key = key, Value = key, TtlMs = 60_000, Present = new Empty() };
        Assert.NotNull((await server.OkAsync<SetIfResponse>(transport, present)).Stored);
        key = await ListAsync("a");
        SetIfHashRequest unconditional = new() { Key = key, Value = key, TtlMs = 60_000, Unconditional = new Empty() };
        Assert.NotNull((await server.OkAsync<SetIfHashResponse>(transport, unconditional)).Stored);
        Assert.Equal(key, (await server.OkAsync<GetResponse>(transport, new GetRequest { Key = key })).Value);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task COLL_5_name_and_elements_may_not_exceed_item_size_limit(Transport transport)
    {
        ByteString name = server.NewKey();
        ByteString half = ByteString.CopyFrom(new byte[ItemLimit / 2]);
        ByteString rest = ByteString.CopyFrom(new byte[ItemLimit - half.Length - name.Length]);
        ListConcatenateBackRequest request = new() { Name = name, Values = { half, rest }, TtlMs = 60_000 };
        Assert.Equal(2u, (await server.OkAsync<ListConcatenateBackResponse>(transport, request)).Length);
        request.Values.Add(ByteString.CopyFrom(1));
        CallFailure failure = await server.FailAsync(transport, request);
        Assert.Equal((StatusCode.ResourceExhausted, "request_size_limit_exceeded"), (failure.Code, failure.Cause));
        Assert.Contains("request limit", failure.Message, StringComparison.Ordinal);
        Assert.Equal(2u, (await server.OkAsync<ListLengthResponse>(transport, new ListLengthRequest { Name = name })).Found.Length);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task COLL_6_request_has_at_most_1048576_elements(Transport transport)
    {
        ByteString name = server.NewKey();
        ListConcatenateBackRequest request = new() { Name = name, TtlMs = 60_000 };
        request.Values.AddRange(Enumerable.Repeat(ByteString.Empty, 1_048_577));
        CallFailure failure = await server.FailAsync(transport, request);
        Assert.Equal((StatusCode.ResourceExhausted, "request_size_limit_exceeded"), (failure.Code, failure.Cause));
        request.Values.RemoveAt(0);
        Assert.Equal(1_048_576u, (await server.OkAsync<ListConcatenateBackResponse>(transport, request)).Length);
    }

    [Fact]
    public async Task COLL_7_response_too_large_for_pipeline_requires_unary_and_pops_nothing()
    {
        ByteString large = CollectionServer.Bytes(new string('x', 70_000));
        ByteString list = server.NewKey();
        await server.OkAsync<ListPushBackResponse>(Transport.Unary, new ListPushBackRequest { Name = list, Value = large, TtlMs = 60_000 });
        ByteString set = server.NewKey();
        await server.OkAsync<SetUnionResponse>(Transport.Unary, new SetUnionRequest { Name = set, Elements = { large }, TtlMs = 60_000 });
        ByteString sorted = server.NewKey();
        await server.OkAsync<SortedSetPutResponse>(
            Transport.Unary,
            new SortedSetPutRequest { Name = sorted, Elements = { new SortedSetElement { Value = large } }, TtlMs = 60_000 });
        ByteString dictionary = server.NewKey();
        DictionaryItem item = new() { Field = CollectionServer.Bytes("f"), Value = large };
        await server.OkAsync<DictionarySetResponse>(Transport.Unary, new DictionarySetRequest { Name = dictionary, Items = { item }, TtlMs = 60_000 });
        SetContainsRequest contains = new() { Name = set };
        contains.Elements.AddRange(Enumerable.Repeat(ByteString.Empty, 70_000));
        SortedSetGetScoreRequest scores = new() { Name = sorted };
        scores.Values.AddRange(Enumerable.Repeat(ByteString.Empty, 70_000));
        IMessage[] requests =
        [
            new ListPopFrontRequest { Name = list },
            new ListPopBackRequest { Name = list },
            new ListFetchRequest { Name = list },
            new SetPopRequest { Name = set, Count = 1 },
            new SetSampleRequest { Name = set, Limit = 1 },
            new SetFetchRequest { Name = set },
            new DictionaryGetRequest { Name = dictionary, Fields = { item.Field } },
            new DictionaryFetchRequest { Name = dictionary },
            new SortedSetFetchRequest { Name = sorted, ByIndex = new() },
            new SortedSetFetchRequest { Name = sorted, ByScore = new() { Count = -1 }, WithScores = true },
            contains,
            scores,
        ];
        foreach (IMessage request in requests)
        {
            Assert.Equal(Result.OutcomeOneofCase.UseUnary, (await server.RunAsync(request)).OutcomeCase);
        }

        Assert.Equal(large, (await server.OkAsync<ListPopFrontResponse>(Transport.Unary, new ListPopFrontRequest { Name = list })).Found.Value);
        Assert.Equal(large, (await server.OkAsync<SetPopResponse>(Transport.Unary, new SetPopRequest { Name = set, Count = 1 })).Found.Elements[0]);
        Assert.Equal(70_000, (await server.OkAsync<SortedSetGetScoreResponse>(Transport.Unary, scores)).Found.Parts.Count);
        Assert.NotNull((await server.OkAsync<SetContainsResponse>(Transport.Unary, contains)).Missing);
    }

    [Fact]
    public async Task COLL_8_response_over_message_limit_fails_and_pops_nothing()
    {
        ByteString set = server.NewKey();
        for (int i = 0; i < 3; i++)
        {
            byte[] element = new byte[4_000_000];
            element[0] = (byte)i;
            await server.OkAsync<SetUnionResponse>(
                Transport.Unary,
                new SetUnionRequest { Name = set, Elements = { ByteString.CopyFrom(element) }, TtlMs = 60_000 });
        }

        CallFailure fetched = await server.FailAsync(Transport.Unary, new SetFetchRequest { Name = set });
        Assert.Equal(StatusCode.ResourceExhausted, fetched.Code);
        Assert.Contains("SetSample", fetched.Message, StringComparison.Ordinal);
        CallFailure popped = await server.FailAsync(Transport.Unary, new SetPopRequest { Name = set, Count = 3 });
        Assert.True(popped.Code == StatusCode.ResourceExhausted, $"{popped.Code}: {popped.Message}");
        Assert.Contains("fewer elements with each SetPop", popped.Message, StringComparison.Ordinal);
        Assert.Equal(2, (await server.OkAsync<SetSampleResponse>(Transport.Unary, new SetSampleRequest { Name = set, Limit = 2 })).Found.Elements.Count);
        Assert.Equal(2, (await server.OkAsync<SetPopResponse>(Transport.Unary, new SetPopRequest { Name = set, Count = 2 })).Found.Elements.Count);
        Assert.Equal(1u, (await server.OkAsync<SetLengthResponse>(Transport.Unary, new SetLengthRequest { Name = set })).Found.Length);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task COLL_9_every_call_rejects_an_empty_name(Transport transport)
    {
        foreach (IMessage request in Calls(ByteString.Empty))
        {
            Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, request));
        }
    }

    private async Task<ByteString> ListAsync(params string[] values)
    {
        ByteString name = server.NewKey();
        ListConcatenateBackRequest request = new() { Name = name, Values = { values.Select(CollectionServer.Bytes) }, TtlMs = 60_000 };
        await server.OkAsync<ListConcatenateBackResponse>(Transport.Unary, request);
        return name;
    }

    /// <summary>Returns a request for every collection call. The order matters, because later calls use data that earlier calls stored.</summary>
    private static IMessage[] Calls(ByteString name)
    {
        ByteString value = CollectionServer.Bytes("1");
        return
        [
            new DictionaryGetRequest { Name = name, Fields = { value } },
            new DictionaryFetchRequest { Name = name },
            new DictionarySetRequest { Name = name, Items = { new DictionaryItem { Field = value } }, TtlMs = 60_000 },
            new DictionaryIncrementRequest { Name = name, Field = value, TtlMs = 60_000 },
            new DictionaryDeleteRequest { Name = name, Some = new() { Fields = { value } } },
            new DictionaryDeleteRequest { Name = name, All = new Empty() },
            new DictionaryLengthRequest { Name = name },
            new SetFetchRequest { Name = name },
            new SetSampleRequest { Name = name, Limit = 1 },
            new SetUnionRequest { Name = name, Elements = { value }, TtlMs = 60_000 },
            new SetDifferenceRequest { Name = name, Minuend = new() { Elements_ = { value } } },
            new SetDifferenceRequest { Name = name, Subtrahend = new() { Set = new() { Elements_ = { value } } } },
            new SetDifferenceRequest { Name = name, Subtrahend = new() { Identity = new Empty() } },
            new SetContainsRequest { Name = name, Elements = { value } },
            new SetLengthRequest { Name = name },
            new SetPopRequest { Name = name, Count = 1 },
            new ListPushFrontRequest { Name = name, Value = value, TtlMs = 60_000 },
            new ListPushBackRequest { Name = name, Value = value, TtlMs = 60_000 },
            new ListConcatenateFrontRequest { Name = name, Values = { value }, TtlMs = 60_000 },
            new ListConcatenateBackRequest { Name = name, Values = { value }, TtlMs = 60_000 },
            new ListPopFrontRequest { Name = name },
            new ListPopBackRequest { Name = name },
            new ListFetchRequest { Name = name },
            new ListRetainRequest { Name = name },
            new ListRemoveRequest { Name = name, AllWithValue = value },
            new ListEraseRequest { Name = name, Some = new() { Ranges = { new ListEraseRequest.Types.Range { Count = 1 } } } },
            new ListEraseRequest { Name = name, All = new Empty() },
            new ListLengthRequest { Name = name },
            new SortedSetPutRequest { Name = name, Elements = { new SortedSetElement { Value = value } }, TtlMs = 60_000 },
            new SortedSetFetchRequest { Name = name, ByIndex = new() },
            new SortedSetFetchRequest { Name = name, ByScore = new(), WithScores = true },
            new SortedSetGetScoreRequest { Name = name, Values = { value } },
            new SortedSetGetRankRequest { Name = name, Value = value },
            new SortedSetIncrementRequest { Name = name, Value = value, Amount = 1, TtlMs = 60_000 },
            new SortedSetRemoveRequest { Name = name, Some = new() { Values = { value } } },
            new SortedSetRemoveRequest { Name = name, All = new Empty() },
            new SortedSetLengthRequest { Name = name },
            new SortedSetLengthByScoreRequest { Name = name },
            new SortedSetUnionStoreRequest
            {
                Name = name.IsEmpty ? name : CollectionServer.Bytes("union"),
                Sources = { new SortedSetUnionStoreRequest.Types.Source { Name = name, Weight = 1 } },
                TtlMs = 60_000,
            },
        ];
    }
}
