using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>Tests of dictionary calls. One derived class runs the tests on the in-memory store, and another one on a gateway.</summary>
public abstract class DictionaryCallTests(CollectionServer server)
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_1_get_returns_requested_fields_in_order_including_duplicates(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("a", "1"), ("b", ""));
        DictionaryGetResponse got = await GetAsync(transport, name, "b", "none", "a", "a");
        Assert.Equal([CacheResult.Hit, CacheResult.Miss, CacheResult.Hit, CacheResult.Hit], got.Found.Parts.Select(part => part.Result));
        Assert.Equal(["", "", "1", "1"], got.Found.Parts.Select(part => part.Value.ToStringUtf8()));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_2_calls_on_unknown_dictionary_return_missing(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.NotNull((await GetAsync(transport, name, "a")).Missing);
        Assert.NotNull((await FetchAsync(transport, name)).Missing);
        Assert.NotNull((await LengthAsync(transport, name)).Missing);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_3_fetch_returns_all_fields_with_values(Transport transport)
    {
        (string, string)[] items = [.. Enumerable.Range(0, 1_000).Select(i => ($"field-{i}", $"value-{i}"))];
        ByteString name = await MadeAsync(transport, items);
        DictionaryFetchResponse fetched = await FetchAsync(transport, name);
        Assert.Equal(items.Order(), fetched.Found.Items.Select(item => (item.Field.ToStringUtf8(), item.Value.ToStringUtf8())).Order());
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_4_last_duplicate_field_wins_and_other_fields_are_unchanged(Transport transport)
    {
        ByteString binary = ByteString.CopyFrom(0, 255, 128, 10);
        ByteString name = await MadeAsync(transport, ("stays", "0"), ("a", "before"));
        DictionarySetRequest set = Set(name, ("a", "first"), ("a", "last"));
        set.Items.Add(new DictionaryItem { Field = binary, Value = binary });
        await server.OkAsync<DictionarySetResponse>(transport, set);
        DictionaryGetResponse got = await server.OkAsync<DictionaryGetResponse>(
            transport,
            new DictionaryGetRequest { Name = name, Fields = { CollectionServer.Bytes("a"), CollectionServer.Bytes("stays"), binary } });
        Assert.Equal([CollectionServer.Bytes("last"), CollectionServer.Bytes("0"), binary], got.Found.Parts.Select(part => part.Value));
        Assert.Equal(3u, (await LengthAsync(transport, name)).Found.Length);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_5_empty_field_is_rejected_and_nothing_is_stored(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, Set(name, ("a", "1"), ("", "2"))));
        Assert.False(await server.ExistsAsync(name));
        DictionaryGetRequest get = new() { Name = name, Fields = { ByteString.Empty } };
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, get));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, Increment(name, "", 1)));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, Delete(name, "a", "")));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_6_missing_field_is_incremented_from_zero_and_stored_as_text(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.Equal(5, await IncrementAsync(transport, name, "n", 5));
        Assert.Equal(-3, await IncrementAsync(transport, name, "n", -8));
        Assert.Equal(-3, await IncrementAsync(transport, name, "n", 0));
        Assert.Equal(0, await IncrementAsync(transport, name, "other", 0));
        Assert.Equal("-3", (await GetAsync(transport, name, "n")).Found.Parts[0].Value.ToStringUtf8());
        await server.OkAsync<DictionarySetResponse>(transport, Set(name, ("n", "41")));
        Assert.Equal(42, await IncrementAsync(transport, name, "n", 1));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_7_failed_increment_keeps_value_and_TTL(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("text", "seven"), ("most", "9223372036854775807"));
        DictionaryIncrementRequest text = Increment(name, "text", 1);
        text.RefreshTtl = true;
        text.TtlMs = 3_000_000;
        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(transport, text));
        DictionaryIncrementRequest most = Increment(name, "most", 1);
        most.RefreshTtl = true;
        most.TtlMs = 3_000_000;
        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(transport, most));
        DictionaryGetResponse got = await GetAsync(transport, name, "text", "most");
        Assert.Equal(["seven", "9223372036854775807"], got.Found.Parts.Select(part => part.Value.ToStringUtf8()));
        Assert.True(await server.RemainingMsAsync(name) < 600_000);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_8_deleting_last_field_deletes_the_dictionary(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("a", "1"), ("b", "2"), ("c", "3"));
        await server.OkAsync<DictionaryDeleteResponse>(transport, Delete(name, "a", "none"));
        Assert.Equal(2u, (await LengthAsync(transport, name)).Found.Length);
        await server.OkAsync<DictionaryDeleteResponse>(transport, Delete(name, "b", "c"));
        Assert.False(await server.ExistsAsync(name));
        await server.OkAsync<DictionaryDeleteResponse>(transport, Delete(name, "b"));

        ByteString other = await MadeAsync(transport, ("a", "1"));
        DictionaryDeleteRequest all = new() { Name = other, All = new Empty() };
        await server.OkAsync<DictionaryDeleteResponse>(transport, all);
        Assert.False(await server.ExistsAsync(other));
        await server.OkAsync<DictionaryDeleteResponse>(transport, all);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_9_delete_without_selection_is_rejected(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("a", "1"));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new DictionaryDeleteRequest { Name = name }));
        Assert.True(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task DICT_10_length_is_the_number_of_fields(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("a", "1"), ("a", "2"), ("b", ""));
        Assert.Equal(2u, (await LengthAsync(transport, name)).Found.Length);
    }

    private static DictionarySetRequest Set(ByteString name, params (string Field, string Value)[] items)
    {
        DictionarySetRequest request = new() { Name = name, TtlMs = 60_000 };
        request.Items.AddRange(items.Select(item => new DictionaryItem
        {
            Field = CollectionServer.Bytes(item.Field),
            Value = CollectionServer.Bytes(item.Value),
        }));
        return request;
    }

    private static DictionaryIncrementRequest Increment(ByteString name, string field, long amount) =>
        new() { Name = name, Field = CollectionServer.Bytes(field), Amount = amount, TtlMs = 60_000 };

    private static DictionaryDeleteRequest Delete(ByteString name, params string[] fields) =>
        new() { Name = name, Some = new DictionaryDeleteRequest.Types.Some { Fields = { fields.Select(CollectionServer.Bytes) } } };

    private async Task<ByteString> MadeAsync(Transport transport, params (string Field, string Value)[] items)
    {
        ByteString name = server.NewKey();
        await server.OkAsync<DictionarySetResponse>(transport, Set(name, items));
        return name;
    }

    private Task<DictionaryGetResponse> GetAsync(Transport transport, ByteString name, params string[] fields) =>
        server.OkAsync<DictionaryGetResponse>(transport, new DictionaryGetRequest { Name = name, Fields = { fields.Select(CollectionServer.Bytes) } });

    private Task<DictionaryFetchResponse> FetchAsync(Transport transport, ByteString name) =>
        server.OkAsync<DictionaryFetchResponse>(transport, new DictionaryFetchRequest { Name = name });

    private Task<DictionaryLengthResponse> LengthAsync(Transport transport, ByteString name) =>
        server.OkAsync<DictionaryLengthResponse>(transport, new DictionaryLengthRequest { Name = name });

    private async Task<long> IncrementAsync(Transport transport, ByteString name, string field, long amount) =>
        (await server.OkAsync<DictionaryIncrementResponse>(transport, Increment(name, field, amount))).Value;
}
