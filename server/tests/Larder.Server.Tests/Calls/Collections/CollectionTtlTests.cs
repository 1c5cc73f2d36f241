using System.Diagnostics;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>Tests of the TTL of collections (CTTL). One derived class runs the tests on the in-memory store, and another one on a gateway.</summary>
public abstract class CollectionTtlTests(CollectionServer server)
{
    private const ulong Minute = 60_000;
    private const ulong Hour = 3_600_000;

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_1_write_that_creates_collection_sets_TTL_regardless_of_refresh_flag(Transport transport)
    {
        foreach (IMessage write in Writes(Minute, refresh: false).Concat(Writes(Minute, refresh: true)))
        {
            await AnswerAsync(transport, write);
            Assert.InRange(await server.RemainingMsAsync(NameOf(write)), 1ul, Minute - 1);
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_2_later_write_changes_TTL_only_when_refresh_is_set(Transport transport)
    {
        foreach (IMessage write in Writes(Minute, refresh: false))
        {
            await AnswerAsync(transport, write);
            SetTtl(write, Hour, refresh: false);
            await AnswerAsync(transport, write);
            Assert.InRange(await server.RemainingMsAsync(NameOf(write)), 1ul, Minute - 1);
            SetTtl(write, Hour, refresh: true);
            await AnswerAsync(transport, write);
            Assert.InRange(await server.RemainingMsAsync(NameOf(write)), Minute, Hour - 1);
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_3_reads_pops_and_removals_keep_the_TTL(Transport transport)
    {
        ByteString name = server.NewKey();
        ByteString b = CollectionServer.Bytes("b");
        IEnumerable<string> letters = ["a", "b", "c", "d", "e", "f"];
        await server.OkAsync<ListConcatenateBackResponse>(
            transport,
            new ListConcatenateBackRequest { Name = name, Values = { letters.Select(CollectionServer.Bytes) }, TtlMs = Hour });
        await server.OkAsync<ListPopBackResponse>(transport, new ListPopBackRequest { Name = name });
        await server.OkAsync<ListFetchResponse>(transport, new ListFetchRequest { Name = name });
        await server.OkAsync<ListRemoveResponse>(transport, new ListRemoveRequest { Name = name, AllWithValue = b });
        await server.OkAsync<ListRetainResponse>(transport, new ListRetainRequest { Name = name, ExclusiveEnd = 3 });
        Assert.InRange(await server.RemainingMsAsync(name), Minute, Hour - 1);
        await server.OkAsync<ListRetainResponse>(transport, new ListRetainRequest { Name = name, ExclusiveEnd = 2, TtlMs = Minute, RefreshTtl = true });
        Assert.InRange(await server.RemainingMsAsync(name), 1ul, Minute - 1);

        name = server.NewKey();
        await server.OkAsync<SetUnionResponse>(
            transport,
            new SetUnionRequest { Name = name, Elements = { letters.Select(CollectionServer.Bytes) }, TtlMs = Hour });
        await server.OkAsync<SetPopResponse>(transport, new SetPopRequest { Name = name, Count = 1 });
        SetDifferenceRequest difference = new() { Name = name, Minuend = new() { Elements_ = { CollectionServer.Bytes("z") } } };
        await server.OkAsync<SetDifferenceResponse>(transport, difference);
        Assert.InRange(await server.RemainingMsAsync(name), Minute, Hour - 1);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_4_TTL_of_zero_or_over_the_maximum_is_rejected(Transport transport)
    {
        foreach (ulong ttlMs in new[] { 0ul, 86_400_001ul, 1ul << 63, ulong.MaxValue })
        {
            foreach (IMessage write in Writes(ttlMs, refresh: true))
            {
                Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, write));
                Assert.False(await server.ExistsAsync(NameOf(write)));
            }

            ListRetainRequest retain = new() { Name = server.NewKey(), TtlMs = ttlMs, RefreshTtl = true };
            Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, retain));
            retain.RefreshTtl = false;
            Assert.NotNull((await server.OkAsync<ListRetainResponse>(transport, retain)).Missing);
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_5_stored_union_has_its_own_TTL(Transport transport)
    {
        SortedSetPutRequest put = (SortedSetPutRequest)Writes(Minute, refresh: true).Single(each => each is SortedSetPutRequest);
        await AnswerAsync(transport, put);
        SortedSetUnionStoreRequest.Types.Source source = new() { Name = put.Name, Weight = 1 };
        SortedSetUnionStoreRequest union = new() { Name = put.Name, Sources = { source }, TtlMs = Hour };
        await server.OkAsync<SortedSetUnionStoreResponse>(transport, union);
        Assert.InRange(await server.RemainingMsAsync(put.Name), Minute, Hour - 1);
        union.TtlMs = 0;
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, union));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_6_expired_collection_is_missing_and_a_write_recreates_it(Transport transport)
    {
        ByteString name = server.NewKey();
        ListPushBackRequest push = new() { Name = name, Value = CollectionServer.Bytes("a"), TtlMs = 1 };
        await server.OkAsync<ListPushBackResponse>(transport, push);
        long began = Stopwatch.GetTimestamp();
        while ((await server.OkAsync<ListLengthResponse>(transport, new ListLengthRequest { Name = name })).Missing is null)
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < RunningServer.Patience);
        }

        push.TtlMs = Minute;
        Assert.Equal(1u, (await server.OkAsync<ListPushBackResponse>(transport, push)).Length);
    }

    private static ByteString NameOf(IMessage write) => (ByteString)write.Descriptor.FindFieldByName("name").Accessor.GetValue(write);

    private static void SetTtl(IMessage write, ulong ttlMs, bool refresh)
    {
        write.Descriptor.FindFieldByName("ttl_ms").Accessor.SetValue(write, ttlMs);
        write.Descriptor.FindFieldByName("refresh_ttl").Accessor.SetValue(write, refresh);
    }

    /// <summary>Returns one request for every write call that has a TTL and a refresh option, each on a collection that does not exist yet.</summary>
    private List<IMessage> Writes(ulong ttlMs, bool refresh)
    {
        ByteString value = CollectionServer.Bytes("1");
        List<IMessage> writes =
        [
            new DictionarySetRequest { Name = server.NewKey(), Items = { new DictionaryItem { Field = value, Value = value } } },
            new DictionaryIncrementRequest { Name = server.NewKey(), Field = value, Amount = 1 },
            new SetUnionRequest { Name = server.NewKey(), Elements = { value } },
            new ListPushFrontRequest { Name = server.NewKey(), Value = value },
            new ListPushBackRequest { Name = server.NewKey(), Value = value },
            new ListConcatenateFrontRequest { Name = server.NewKey(), Values = { value } },
            new ListConcatenateBackRequest { Name = server.NewKey(), Values = { value } },
            new SortedSetPutRequest { Name = server.NewKey(), Elements = { new SortedSetElement { Value = value, Score = 1 } } },
            new SortedSetIncrementRequest { Name = server.NewKey(), Value = value, Amount = 1 },
        ];
        writes.ForEach(write => SetTtl(write, ttlMs, refresh));
        return writes;
    }

    private Task AnswerAsync(Transport transport, IMessage write) => write switch
    {
        DictionarySetRequest => server.OkAsync<DictionarySetResponse>(transport, write),
        DictionaryIncrementRequest => server.OkAsync<DictionaryIncrementResponse>(transport, write),
        SetUnionRequest => server.OkAsync<SetUnionResponse>(transport, write),
        ListPushFrontRequest => server.OkAsync<ListPushFrontResponse>(transport, write),
        ListPushBackRequest => server.OkAsync<ListPushBackResponse>(transport, write),
        ListConcatenateFrontRequest => server.OkAsync<ListConcatenateFrontResponse>(transport, write),
        ListConcatenateBackRequest => server.OkAsync<ListConcatenateBackResponse>(transport, write),
        SortedSetPutRequest => server.OkAsync<SortedSetPutResponse>(transport, write),
        _ => server.OkAsync<SortedSetIncrementResponse>(transport, write),
    };
}
