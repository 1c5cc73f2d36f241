using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>Tests of list calls. One derived class runs the tests on the in-memory store, and another one on a gateway.</summary>
public abstract class ListCallTests(CollectionServer server)
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_1_push_adds_at_either_end_and_returns_the_length(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.Equal(1u, await PushBackAsync(transport, name, "b"));
        Assert.Equal(2u, await PushFrontAsync(transport, name, "a"));
        Assert.Equal(3u, await PushBackAsync(transport, name, ""));
        Assert.Equal(["a", "b", ""], await AllAsync(transport, name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_2_concatenate_keeps_element_order_at_either_end(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "c", "d");
        ListConcatenateFrontRequest front = new() { Name = name, Values = { Many("a", "b") }, TtlMs = 60_000 };
        Assert.Equal(4u, (await server.OkAsync<ListConcatenateFrontResponse>(transport, front)).Length);
        Assert.Equal(5u, await ConcatenateBackAsync(transport, name, 0, "e"));
        Assert.Equal(["a", "b", "c", "d", "e"], await AllAsync(transport, name));
        Assert.Equal(5u, await ConcatenateBackAsync(transport, name, 0));
        Assert.Equal(0u, await ConcatenateBackAsync(transport, server.NewKey(), 0));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_3_truncation_drops_excess_elements_from_the_opposite_end(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "c");
        Assert.Equal(2u, await ConcatenateBackAsync(transport, name, 2, "d"));
        Assert.Equal(["c", "d"], await AllAsync(transport, name));
        ListPushFrontRequest front = new() { Name = name, Value = CollectionServer.Bytes("b"), TtlMs = 60_000, TruncateBackToSize = 2 };
        Assert.Equal(2u, (await server.OkAsync<ListPushFrontResponse>(transport, front)).Length);
        Assert.Equal(["b", "c"], await AllAsync(transport, name));
        Assert.Equal(1u, await ConcatenateBackAsync(transport, name, 1, "x", "y", "z"));
        Assert.Equal(["z"], await AllAsync(transport, name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_4_pop_returns_element_and_remaining_length(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "");
        ListPopBackResponse back = await server.OkAsync<ListPopBackResponse>(transport, new ListPopBackRequest { Name = name });
        Assert.Equal(("", 2u), (back.Found.Value.ToStringUtf8(), back.Found.Length));
        ListPopFrontResponse front = await server.OkAsync<ListPopFrontResponse>(transport, new ListPopFrontRequest { Name = name });
        Assert.Equal(("a", 1u), (front.Found.Value.ToStringUtf8(), front.Found.Length));
        front = await server.OkAsync<ListPopFrontResponse>(transport, new ListPopFrontRequest { Name = name });
        Assert.Equal(("b", 0u), (front.Found.Value.ToStringUtf8(), front.Found.Length));
        Assert.False(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(null, null, "abcde")]
    [InlineData(1, null, "bcde")]
    [InlineData(null, 2, "ab")]
    [InlineData(0, 1, "a")]
    [InlineData(1, -1, "bcd")]
    [InlineData(-2, null, "de")]
    [InlineData(-9, 2, "ab")]
    [InlineData(3, 99, "de")]
    public async Task LIST_5_fetch_returns_slice_and_negative_indexes_count_from_end(int? start, int? end, string elements)
    {
        foreach (Transport transport in Enum.GetValues<Transport>())
        {
            ByteString name = await MadeAsync(transport, "a", "b", "c", "d", "e");
            Assert.Equal(elements, string.Concat((await FetchAsync(transport, name, start, end)).Found.Elements.Select(each => each.ToStringUtf8())));
            ListFetchRequest unbounded = new() { Name = name, UnboundedStart = new Empty(), UnboundedEnd = new Empty() };
            Assert.Equal(5, (await server.OkAsync<ListFetchResponse>(transport, unbounded)).Found.Elements.Count);
        }
    }

    [Theory]
    [InlineData(2, 2)]
    [InlineData(3, 1)]
    [InlineData(5, null)]
    [InlineData(null, -5)]
    [InlineData(-1, -3)]
    public async Task LIST_6_fetch_returns_missing_for_an_empty_slice(int? start, int? end)
    {
        foreach (Transport transport in Enum.GetValues<Transport>())
        {
            ByteString name = await MadeAsync(transport, "a", "b", "c", "d", "e");
            Assert.NotNull((await FetchAsync(transport, name, start, end)).Missing);
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_7_retain_keeps_the_slice_and_deletes_an_empty_list(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "c", "d");
        ListRetainRequest retain = new() { Name = name, InclusiveStart = 1, ExclusiveEnd = -1 };
        Assert.Equal(2u, (await server.OkAsync<ListRetainResponse>(transport, retain)).Found.Length);
        Assert.Equal(["b", "c"], await AllAsync(transport, name));
        retain = new() { Name = name, InclusiveStart = 2 };
        Assert.Equal(0u, (await server.OkAsync<ListRetainResponse>(transport, retain)).Found.Length);
        Assert.False(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_8_remove_deletes_all_elements_with_the_value(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "", "a", "b", "a");
        ListRemoveRequest remove = new() { Name = name, AllWithValue = CollectionServer.Bytes("a") };
        Assert.Equal(2u, (await server.OkAsync<ListRemoveResponse>(transport, remove)).Found.Length);
        remove.AllWithValue = ByteString.Empty;
        Assert.Equal(1u, (await server.OkAsync<ListRemoveResponse>(transport, remove)).Found.Length);
        Assert.Equal(["b"], await AllAsync(transport, name));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new ListRemoveRequest { Name = name }));
        remove.AllWithValue = CollectionServer.Bytes("b");
        Assert.Equal(0u, (await server.OkAsync<ListRemoveResponse>(transport, remove)).Found.Length);
        Assert.False(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_9_erase_removes_ranges_of_the_original_list_or_all_elements(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "c", "d", "e", "f");
        ListEraseRequest erase = new() { Name = name, Some = new() { Ranges = { Range(4, 99), Range(0, 1), Range(1, 1), Range(1, 1) } } };
        Assert.Equal(2u, (await server.OkAsync<ListEraseResponse>(transport, erase)).Found.Length);
        Assert.Equal(["c", "d"], await AllAsync(transport, name));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new ListEraseRequest { Name = name }));
        erase = new() { Name = name, All = new Empty() };
        Assert.Equal(0u, (await server.OkAsync<ListEraseResponse>(transport, erase)).Found.Length);
        Assert.False(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_10_calls_on_unknown_list_return_missing(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.NotNull((await server.OkAsync<ListPopFrontResponse>(transport, new ListPopFrontRequest { Name = name })).Missing);
        Assert.NotNull((await server.OkAsync<ListPopBackResponse>(transport, new ListPopBackRequest { Name = name })).Missing);
        Assert.NotNull((await FetchAsync(transport, name, null, null)).Missing);
        Assert.NotNull((await server.OkAsync<ListRetainResponse>(transport, new ListRetainRequest { Name = name })).Missing);
        ListRemoveRequest remove = new() { Name = name, AllWithValue = CollectionServer.Bytes("a") };
        Assert.NotNull((await server.OkAsync<ListRemoveResponse>(transport, remove)).Missing);
        Assert.NotNull((await server.OkAsync<ListEraseResponse>(transport, new ListEraseRequest { Name = name, All = new Empty() })).Missing);
        Assert.NotNull((await server.OkAsync<ListLengthResponse>(transport, new ListLengthRequest { Name = name })).Missing);
        await PushBackAsync(transport, name, "a");
        Assert.Equal(1u, (await server.OkAsync<ListLengthResponse>(transport, new ListLengthRequest { Name = name })).Found.Length);
    }

    private static IEnumerable<ByteString> Many(params string[] values) => values.Select(CollectionServer.Bytes);

    private static ListEraseRequest.Types.Range Range(uint begin, uint count) => new() { Begin = begin, Count = count };

    private async Task<ByteString> MadeAsync(Transport transport, params string[] elements)
    {
        ByteString name = server.NewKey();
        await ConcatenateBackAsync(transport, name, 0, elements);
        return name;
    }

    private async Task<uint> PushBackAsync(Transport transport, ByteString name, string value) =>
        (await server.OkAsync<ListPushBackResponse>(
            transport,
            new ListPushBackRequest { Name = name, Value = CollectionServer.Bytes(value), TtlMs = 60_000 })).Length;

    private async Task<uint> PushFrontAsync(Transport transport, ByteString name, string value) =>
        (await server.OkAsync<ListPushFrontResponse>(
            transport,
            new ListPushFrontRequest { Name = name, Value = CollectionServer.Bytes(value), TtlMs = 60_000 })).Length;

    private async Task<uint> ConcatenateBackAsync(Transport transport, ByteString name, uint truncateTo, params string[] values) =>
        (await server.OkAsync<ListConcatenateBackResponse>(
            transport,
            new ListConcatenateBackRequest { Name = name, Values = { Many(values) }, TtlMs = 60_000, TruncateFrontToSize = truncateTo })).Length;

    private Task<ListFetchResponse> FetchAsync(Transport transport, ByteString name, int? start, int? end)
    {
        ListFetchRequest request = new() { Name = name };
        if (start is { } first)
        {
            request.InclusiveStart = first;
        }

        if (end is { } last)
        {
            request.ExclusiveEnd = last;
        }

        return server.OkAsync<ListFetchResponse>(transport, request);
    }

    private async Task<IEnumerable<string>> AllAsync(Transport transport, ByteString name) =>
        (await FetchAsync(transport, name, null, null)).Found.Elements.Select(each => each.ToStringUtf8());
}
