using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>Tests of set calls. One derived class runs the tests on the in-memory store, and another one on a gateway.</summary>
public abstract class SetCallTests(CollectionServer server)
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_1_union_stores_each_element_once(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "a", "");
        await server.OkAsync<SetUnionResponse>(transport, Union(name, "b", "c"));
        Assert.Equal(["", "a", "b", "c"], await AllAsync(transport, name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_2_sample_returns_distinct_elements_up_to_the_limit(Transport transport)
    {
        ByteString name = await MadeAsync(transport, [.. Enumerable.Range(0, 100).Select(i => $"element-{i}")]);
        foreach ((ulong limit, int count) in new[] { (0ul, 0), (1ul, 1), (40ul, 40), (100ul, 100), (ulong.MaxValue, 100) })
        {
            SetSampleResponse sample = await server.OkAsync<SetSampleResponse>(transport, new SetSampleRequest { Name = name, Limit = limit });
            Assert.Equal(count, sample.Found.Elements.Distinct().Count());
            Assert.Equal(count, sample.Found.Elements.Count);
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_3_difference_with_minuend_replaces_the_set(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b");
        Assert.NotNull((await DifferenceAsync(transport, Minuend(name, "b", "c", "d"))).Found);
        Assert.Equal(["c", "d"], await AllAsync(transport, name));
        Assert.NotNull((await DifferenceAsync(transport, Minuend(name, "c"))).Found);
        Assert.False(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_4_difference_with_subtrahend_removes_its_elements(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "c");
        Assert.NotNull((await DifferenceAsync(transport, Subtrahend(name, "a", "none"))).Found);
        Assert.Equal(["b", "c"], await AllAsync(transport, name));
        SetDifferenceRequest identity = new() { Name = name, Subtrahend = new() { Identity = new Empty() } };
        Assert.NotNull((await DifferenceAsync(transport, identity)).Found);
        Assert.False(await server.ExistsAsync(name));
        ByteString other = await MadeAsync(transport, "a");
        Assert.NotNull((await DifferenceAsync(transport, Subtrahend(other, "a"))).Found);
        Assert.False(await server.ExistsAsync(other));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_5_difference_without_elements_is_rejected(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a");
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SetDifferenceRequest { Name = name }));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SetDifferenceRequest { Name = name, Subtrahend = new() }));
        Assert.True(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_6_contains_returns_results_in_request_order(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "");
        SetContainsResponse contains = await ContainsAsync(transport, name, "b", "a", "", "a");
        Assert.Equal([false, true, true, true], contains.Found.Contains);
        Assert.Empty((await ContainsAsync(transport, name)).Found.Contains);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_7_pop_returns_removed_elements_and_deletes_the_emptied_set(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "c");
        SetPopResponse popped = await server.OkAsync<SetPopResponse>(transport, new SetPopRequest { Name = name, Count = 2 });
        Assert.Equal(2, popped.Found.Elements.Count);
        IEnumerable<string> left = await AllAsync(transport, name);
        Assert.Equal(["a", "b", "c"], popped.Found.Elements.Select(each => each.ToStringUtf8()).Concat(left).Order());
        popped = await server.OkAsync<SetPopResponse>(transport, new SetPopRequest { Name = name, Count = 5 });
        Assert.Equal(left, popped.Found.Elements.Select(each => each.ToStringUtf8()));
        Assert.False(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_8_pop_of_zero_elements_is_rejected(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a");
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SetPopRequest { Name = name }));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_9_calls_on_unknown_set_return_missing(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.NotNull((await server.OkAsync<SetFetchResponse>(transport, new SetFetchRequest { Name = name })).Missing);
        Assert.NotNull((await server.OkAsync<SetSampleResponse>(transport, new SetSampleRequest { Name = name })).Missing);
        Assert.NotNull((await DifferenceAsync(transport, Minuend(name, "a"))).Missing);
        Assert.NotNull((await DifferenceAsync(transport, Subtrahend(name, "a"))).Missing);
        Assert.NotNull((await ContainsAsync(transport, name, "a")).Missing);
        Assert.NotNull((await server.OkAsync<SetPopResponse>(transport, new SetPopRequest { Name = name, Count = 1 })).Missing);
        Assert.NotNull((await server.OkAsync<SetLengthResponse>(transport, new SetLengthRequest { Name = name })).Missing);
        await server.OkAsync<SetUnionResponse>(transport, Union(name, "a", "b"));
        Assert.Equal(2u, (await server.OkAsync<SetLengthResponse>(transport, new SetLengthRequest { Name = name })).Found.Length);
    }

    private static IEnumerable<ByteString> Many(params string[] values) => values.Select(CollectionServer.Bytes);

    private static SetUnionRequest Union(ByteString name, params string[] elements) => new() { Name = name, Elements = { Many(elements) }, TtlMs = 60_000 };

    private static SetDifferenceRequest Minuend(ByteString name, params string[] elements) =>
        new() { Name = name, Minuend = new() { Elements_ = { Many(elements) } } };

    private static SetDifferenceRequest Subtrahend(ByteString name, params string[] elements) =>
        new() { Name = name, Subtrahend = new() { Set = new() { Elements_ = { Many(elements) } } } };

    private async Task<ByteString> MadeAsync(Transport transport, params string[] elements)
    {
        ByteString name = server.NewKey();
        await server.OkAsync<SetUnionResponse>(transport, Union(name, elements));
        return name;
    }

    private Task<SetDifferenceResponse> DifferenceAsync(Transport transport, SetDifferenceRequest request) =>
        server.OkAsync<SetDifferenceResponse>(transport, request);

    private Task<SetContainsResponse> ContainsAsync(Transport transport, ByteString name, params string[] elements) =>
        server.OkAsync<SetContainsResponse>(transport, new SetContainsRequest { Name = name, Elements = { Many(elements) } });

    private async Task<IReadOnlyList<string>> AllAsync(Transport transport, ByteString name)
    {
        SetFetchResponse fetched = await server.OkAsync<SetFetchResponse>(transport, new SetFetchRequest { Name = name });
        return [.. fetched.Found.Elements.Select(each => each.ToStringUtf8()).Order(StringComparer.Ordinal)];
    }
}
