using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>The derived classes run these tests on each store: see <c>InMemory</c> and <c>Fleet/Collections</c>.</summary>
public abstract class SetCallTests(CollectionServer server)
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_1_elements_are_added_each_once_and_fetched_in_any_order(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "b", "a", "");
        await server.OkAsync<SetUnionResponse>(transport, Union(name, "b", "c"));
        Assert.Equal(["", "a", "b", "c"], await AllAsync(transport, name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_2_a_sample_has_distinct_elements_and_a_sample_of_none_is_found_and_empty(Transport transport)
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
    public async Task SETC_3_a_minuend_less_the_set_becomes_the_set(Transport transport)
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
    public async Task SETC_4_a_subtrahend_is_taken_from_the_set_and_the_set_itself_is_all_of_it(Transport transport)
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
    public async Task SETC_5_a_difference_that_names_no_elements_is_refused(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a");
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SetDifferenceRequest { Name = name }));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SetDifferenceRequest { Name = name, Subtrahend = new() }));
        Assert.True(await server.ExistsAsync(name));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_6_each_asked_element_is_answered_in_order(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a", "");
        SetContainsResponse contains = await ContainsAsync(transport, name, "b", "a", "", "a");
        Assert.Equal([false, true, true, true], contains.Found.Contains);
        Assert.Empty((await ContainsAsync(transport, name)).Found.Contains);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_7_a_pop_removes_what_it_answers_and_the_last_one_ends_the_set(Transport transport)
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
    public async Task SETC_8_a_pop_of_no_elements_is_refused(Transport transport)
    {
        ByteString name = await MadeAsync(transport, "a");
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SetPopRequest { Name = name }));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task SETC_9_a_set_that_is_not_there_is_missing_and_one_that_is_has_a_length(Transport transport)
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
