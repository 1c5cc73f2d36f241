using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>The derived classes run these tests on each store: see <c>InMemory</c> and <c>Fleet/Collections</c>.</summary>
public abstract class ListCallTests(CollectionServer server)
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task LIST_1_an_element_is_pushed_at_either_end_and_the_length_answered(Transport transport)
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
    public async Task LIST_2_elements_added_together_keep_their_order_at_either_end(Transport transport)
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
    public async Task LIST_3_what_is_more_than_a_size_is_dropped_from_the_other_end(Transport transport)
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
    public async Task LIST_4_a_pop_answers_the_element_and_what_is_left_and_the_last_one_ends_the_list(Transport transport)
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
    public async Task LIST_5_a_slice_goes_from_the_start_to_before_the_end_and_negatives_count_from_the_end(int? start, int? end, string elements)
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
    public async Task LIST_6_an_empty_slice_is_missing(int? start, int? end)
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
    public async Task LIST_7_a_retain_keeps_its_slice_and_an_empty_one_drops_the_list(Transport transport)
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
    public async Task LIST_8_every_element_with_a_value_is_removed_and_no_value_is_refused(Transport transport)
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
    public async Task LIST_9_ranges_of_the_list_before_the_call_are_erased_or_all_of_it(Transport transport)
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
    public async Task LIST_10_a_list_that_is_not_there_is_missing_and_one_that_is_has_a_length(Transport transport)
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
