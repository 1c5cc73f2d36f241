using System.Buffers;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>Tests of malformed and oversized requests on collections.</summary>
public sealed class HostileCollectionTests : IDisposable
{
    private const int MessageBytes = 11_010_048;

    private readonly CallHarness _calls = new();

    public void Dispose() => _calls.Dispose();

    [Fact]
    public void Truncated_request_succeeds_or_is_rejected_and_never_throws()
    {
        foreach ((CacheCallHandler call, IMessage request) in Whole())
        {
            byte[] bytes = request.ToByteArray();
            for (int length = 0; length < bytes.Length; length++)
            {
                CallError? error = call(_calls.Target, bytes.AsSpan(0, length), new ArrayBufferWriter<byte>());
                Assert.True(error is null || error.Code is StatusCode.InvalidArgument or StatusCode.FailedPrecondition, $"{request}: {error}");
            }
        }
    }

    [Fact]
    public void Field_with_unexpected_wire_type_is_ignored()
    {
        foreach ((CacheCallHandler call, IMessage request) in Whole())
        {
            byte[] known = request.ToByteArray();
            for (int field = 1; field <= 7; field++)
            {
                // The unknown field has wire type 5 (four bytes), which is skipped. A group (wire type 3) is invalid in proto3.
                byte[] unknown = [(byte)((field << 3) | 5), 1, 2, 3, 4];
                Assert.Null(call(_calls.Target, (byte[])[.. known, .. unknown], new ArrayBufferWriter<byte>()));
                Assert.Equal(StatusCode.InvalidArgument, _calls.Fail(call, (byte[])[.. known, (byte)((field << 3) | 3)]).Code);
                Assert.Equal(StatusCode.InvalidArgument, _calls.Fail(call, (byte[])[.. known, .. unknown[..3]]).Code);
            }
        }
    }

    [Fact]
    public void Random_request_bytes_never_throw()
    {
        Random random = new(21);
        byte[] bytes = new byte[60];
        foreach (CacheCall call in CacheCalls.Single)
        {
            for (int round = 0; round < 3_000; round++)
            {
                random.NextBytes(bytes);
                bytes[0] = 0x0A;
                bytes[1] = 1;
                bytes[3] = (byte)((random.Next(2, 6) << 3) | 2);
                bytes[4] = (byte)random.Next(56);
                call.Handler(_calls.Target, bytes, new ArrayBufferWriter<byte>());
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Request_full_of_tiny_elements_allocates_bounded_memory(int elementBytes)
    {
        // The request contains the name and as many elements as fit into the largest message.
        byte[] request = new byte[MessageBytes - ((MessageBytes - 3) % (2 + elementBytes))];
        request[0] = 0x0A;
        request[1] = 1;
        request[2] = (byte)'k';
        for (int at = 3; at + 1 < request.Length; at += 2 + elementBytes)
        {
            request[at] = 0x12;
            request[at + 1] = (byte)elementBytes;
        }

        foreach (CacheCallHandler call in (CacheCallHandler[])[SetUnionCall.Run, ListConcatenateBackCall.Run, SetContainsCall.Run, DictionarySetCall.Run])
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Contains(_calls.Fail(call, request).Code, new[] { StatusCode.ResourceExhausted, StatusCode.InvalidArgument });
            // The limit allows 1,048,576 entries of 24 bytes, the smaller arrays that are replaced when the array grows (a third of that size), and the 32 MB
            // slab that contains the arrays.
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 72L << 20);
        }
    }

    [Fact]
    public void COLL_11_push_exceeding_the_collection_memory_share_fails_and_changes_nothing()
    {
        ListPushBackRequest push = new() { Name = Key("k"), Value = ByteString.CopyFrom(new byte[900]), TtlMs = CallHarness.MaxTtlMs };
        byte[] request = push.ToByteArray();
        uint length = 0;
        CallError? error = null;
        // Stop at the number of elements that would fill the whole store, in case no call is rejected.
        while (error is null && length < (16 << 20) / 900)
        {
            error = ListPushBackCall.Run(_calls.Target, request, new ArrayBufferWriter<byte>());
            length += error is null ? 1u : 0u;
        }

        Assert.Equal((StatusCode.ResourceExhausted, "item_size_limit_exceeded"), (error!.Code, error.Cause));
        Assert.Equal(length, _calls.Run<ListLengthResponse>(ListLengthCall.Run, new ListLengthRequest { Name = push.Name }).Found.Length);
    }

    [Fact]
    public void Write_fails_and_stores_nothing_when_memory_is_exhausted()
    {
        _calls.RefuseMemory();
        ByteString value = ByteString.CopyFrom(new byte[900]);
        Exception? refused = Record.Exception(() => ListPushBackCall.Run(
            _calls.Target,
            new ListPushBackRequest { Name = CallHarness.Bytes("k"), Value = value, TtlMs = 1_000 }.ToByteArray(),
            new ArrayBufferWriter<byte>()));
        // The transports convert this exception to a status.
        Assert.IsType<InsufficientMemoryException>(refused);
        Assert.NotNull(_calls.Run<ListLengthResponse>(ListLengthCall.Run, new ListLengthRequest { Name = CallHarness.Bytes("k") }).Missing);
    }

    private static ByteString Key(string text) => CallHarness.Bytes(text);

    [Fact]
    public void Pop_removes_nothing_when_its_response_does_not_fit()
    {
        ByteString name = Key("k");
        _calls.Run<ListPushBackResponse>(ListPushBackCall.Run, new ListPushBackRequest { Name = name, Value = Key("a"), TtlMs = 1_000 });
        Assert.Throws<RpcException>(() => ListPopBackCall.Run(_calls.Target, new ListPopBackRequest { Name = name }.ToByteArray(), new NoRoom()));
        Assert.Equal(1u, _calls.Run<ListLengthResponse>(ListLengthCall.Run, new ListLengthRequest { Name = name }).Found.Length);
    }

    /// <summary>Returns valid requests whose messages have different structures.</summary>
    private static IEnumerable<(CacheCallHandler Call, IMessage Request)> Whole()
    {
        ByteString name = CallHarness.Bytes("key");
        DictionaryItem item = new() { Field = CallHarness.Bytes("one"), Value = CallHarness.Bytes("two") };
        ListEraseRequest.Types.Range range = new() { Begin = 300, Count = 300 };
        SortedSetElement element = new() { Value = CallHarness.Bytes("one"), Score = 1.5 };
        ByteString[] values = [CallHarness.Bytes("one"), CallHarness.Bytes("two")];
        yield return (DictionarySetCall.Run, new DictionarySetRequest { Name = Key("d"), Items = { item }, TtlMs = 9 });
        yield return (DictionaryGetCall.Run, new DictionaryGetRequest { Name = Key("d"), Fields = { values } });
        yield return (DictionaryIncrementCall.Run, new DictionaryIncrementRequest { Name = Key("n"), Field = values[0], Amount = 300, TtlMs = 9 });
        yield return (DictionaryDeleteCall.Run, new DictionaryDeleteRequest { Name = name, Some = new() { Fields = { values } } });
        yield return (SetUnionCall.Run, new SetUnionRequest { Name = Key("s"), Elements = { values }, TtlMs = 9, RefreshTtl = true });
        yield return (SetDifferenceCall.Run, new SetDifferenceRequest { Name = name, Subtrahend = new() { Set = new() { Elements_ = { values } } } });
        yield return (SetPopCall.Run, new SetPopRequest { Name = name, Count = 300 });
        yield return (ListConcatenateFrontCall.Run, new ListConcatenateFrontRequest
        {
            Name = Key("l"),
            Values = { values },
            TtlMs = 9,
            TruncateBackToSize = 300,
        });
        yield return (ListRetainCall.Run, new ListRetainRequest { Name = name, InclusiveStart = -300, ExclusiveEnd = 300, TtlMs = 9, RefreshTtl = true });
        yield return (ListRemoveCall.Run, new ListRemoveRequest { Name = name, AllWithValue = values[0] });
        yield return (ListEraseCall.Run, new ListEraseRequest { Name = name, Some = new() { Ranges = { range } } });
        yield return (SortedSetPutCall.Run, new SortedSetPutRequest { Name = Key("z"), Elements = { element }, TtlMs = 9 });
        yield return (SortedSetFetchCall.Run, new SortedSetFetchRequest
        {
            Name = name,
            WithScores = true,
            ByScore = new() { MinScore = new() { Score = 1, Exclusive = true }, MaxScore = new() { Score = 2 }, Offset = 300, Count = -300 },
        });
        yield return (SortedSetFetchCall.Run, new SortedSetFetchRequest { Name = name, ByIndex = new() { InclusiveStart = 1, ExclusiveEnd = -300 } });
        yield return (SortedSetGetRankCall.Run, new SortedSetGetRankRequest { Name = name, Value = values[0], Order = SortedSetOrder.Descending });
        yield return (SortedSetIncrementCall.Run, new SortedSetIncrementRequest { Name = Key("i"), Value = values[0], Amount = 1.5, TtlMs = 9 });
        yield return (SortedSetRemoveCall.Run, new SortedSetRemoveRequest { Name = name, Some = new() { Values = { values } } });
        yield return (SortedSetLengthByScoreCall.Run, new SortedSetLengthByScoreRequest { Name = name, ExclusiveMin = 1, InclusiveMax = 2 });
        yield return (SortedSetUnionStoreCall.Run, new SortedSetUnionStoreRequest
        {
            Name = Key("u"),
            Sources = { new SortedSetUnionStoreRequest.Types.Source { Name = name, Weight = 0.5f } },
            Aggregate = SortedSetUnionStoreRequest.Types.Aggregate.Max,
            TtlMs = 9,
        });
    }

    private sealed class NoRoom : IBufferWriter<byte>
    {
        public void Advance(int count) => throw new InvalidOperationException("there is no room");

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new RpcException(new Status(StatusCode.ResourceExhausted, "no room"));

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
