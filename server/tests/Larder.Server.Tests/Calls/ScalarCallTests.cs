using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Calls;

public sealed class ScalarCallTests : IDisposable
{
    private readonly CallHarness _calls = new();

    public void Dispose() => _calls.Dispose();

    [Fact]
    public void Get_returns_stored_bytes_or_a_miss()
    {
        byte[] value = [0, 255, 128, 10];
        Assert.Equal(CacheResult.Ok, _calls.Run<SetResponse>(SetCall.Run, Item("k", ByteString.CopyFrom(value))).Result);
        GetResponse hit = _calls.Run<GetResponse>(GetCall.Run, new GetRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(CacheResult.Hit, hit.Result);
        Assert.Equal(value, hit.Value.ToByteArray());
        Assert.Equal(CacheResult.Miss, _calls.Run<GetResponse>(GetCall.Run, new GetRequest { Key = CallHarness.Bytes("other") }).Result);
    }

    [Fact]
    public void Set_fails_with_ResourceExhausted_when_memory_is_exhausted()
    {
        _calls.RefuseMemory();
        CallError error = _calls.Fail(SetCall.Run, Item("k", ByteString.CopyFromUtf8("v")));
        Assert.Equal(StatusCode.ResourceExhausted, error.Code);
        Assert.Equal(CacheResult.Miss, _calls.Run<GetResponse>(GetCall.Run, new GetRequest { Key = CallHarness.Bytes("k") }).Result);
    }

    [Fact]
    public void Empty_value_is_a_hit()
    {
        _calls.Run<SetResponse>(SetCall.Run, Item("k", ByteString.Empty));
        GetResponse hit = _calls.Run<GetResponse>(GetCall.Run, new GetRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(CacheResult.Hit, hit.Result);
        Assert.True(hit.Value.IsEmpty);
    }

    [Fact]
    public void Delete_removes_key_and_is_idempotent()
    {
        _calls.Set("k", "v");
        DeleteRequest delete = new() { Key = CallHarness.Bytes("k") };
        _calls.Run<DeleteResponse>(DeleteCall.Run, delete);
        _calls.Run<DeleteResponse>(DeleteCall.Run, delete);
        Assert.Equal(CacheResult.Miss, _calls.Run<GetResponse>(GetCall.Run, new GetRequest { Key = CallHarness.Bytes("k") }).Result);
    }

    [Fact]
    public void KeysExist_returns_results_in_request_order()
    {
        _calls.Set("a", "1");
        _calls.Set("c", "1");
        KeysExistRequest request = new() { Keys = { CallHarness.Bytes("a"), CallHarness.Bytes("b"), CallHarness.Bytes("c") } };
        Assert.Equal([true, false, true], _calls.Run<KeysExistResponse>(KeysExistCall.Run, request).Exists);
        Assert.Empty(_calls.Run<KeysExistResponse>(KeysExistCall.Run, new KeysExistRequest()).Exists);
    }

    [Theory]
    [InlineData(5, 5)]
    [InlineData(0, 0)]
    [InlineData(-7, -7)]
    [InlineData(long.MinValue, long.MinValue)]
    public void Increment_starts_missing_key_at_zero(long amount, long value) =>
        Assert.Equal(value, _calls.Run<IncrementResponse>(IncrementCall.Run, Increment("n", amount)).Value);

    [Fact]
    public void P7_increment_of_non_numeric_value_fails_and_keeps_the_value()
    {
        _calls.Set("k", "seven");
        Assert.Equal(StatusCode.FailedPrecondition, _calls.Fail(IncrementCall.Run, Increment("k", 1)).Code);
        Assert.Equal("seven", _calls.Run<GetResponse>(GetCall.Run, new GetRequest { Key = CallHarness.Bytes("k") }).Value.ToStringUtf8());
    }

    [Fact]
    public void P7_increment_that_overflows_fails_and_keeps_the_value()
    {
        _calls.Set("k", "9223372036854775807");
        Assert.Equal(StatusCode.FailedPrecondition, _calls.Fail(IncrementCall.Run, Increment("k", 1)).Code);
        Assert.Equal(long.MaxValue, _calls.Run<IncrementResponse>(IncrementCall.Run, Increment("k", 0)).Value);
    }

    [Fact]
    public void P3_every_call_rejects_an_empty_key()
    {
        foreach (CacheCall call in CacheCalls.Single)
        {
            // KeysExist does not have a single key field, so its request contains a list with one empty key.
            byte[] request = call.Name == "KeysExist" ? [0x0A, 0x00] : [];
            Assert.Equal(StatusCode.InvalidArgument, _calls.Fail(call.Handler, request).Code);
        }
    }

    [Fact]
    public void P2_every_call_rejects_malformed_bytes_without_throwing()
    {
        Random random = new(3);
        byte[] bytes = new byte[40];
        foreach (CacheCall call in CacheCalls.Single.Concat(CacheCalls.Batches))
        {
            Assert.Equal(StatusCode.InvalidArgument, _calls.Fail(call.Handler, (byte[])[0x0A, 0x7F, 0x01]).Code);
            for (int round = 0; round < 2_000; round++)
            {
                random.NextBytes(bytes);
                call.Handler(_calls.Target, bytes, new System.Buffers.ArrayBufferWriter<byte>());
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(CallHarness.MaxTtlMs + 1)]
    [InlineData(ulong.MaxValue)]
    [InlineData(1UL << 63)]
    public void P6_TTL_out_of_range_is_rejected(ulong ttlMs)
    {
        SetRequest set = Item("k", CallHarness.Bytes("v"));
        set.TtlMs = ttlMs;
        CallError error = _calls.Fail(SetCall.Run, set);
        Assert.Equal(StatusCode.InvalidArgument, error.Code);
        Assert.Contains("--max-ttl", error.Message, StringComparison.Ordinal);
        Assert.Equal(
            StatusCode.InvalidArgument,
            _calls.Fail(UpdateTtlCall.Run, new UpdateTtlRequest { Key = CallHarness.Bytes("k"), OverwriteToMs = ttlMs }).Code);
    }

    [Fact]
    public void P4_item_over_the_size_limit_is_rejected_naming_the_limit()
    {
        _calls.Run<SetResponse>(SetCall.Run, Item("k", ByteString.CopyFrom(new byte[CallHarness.MaxItemBytes - 1])));
        CallError error = _calls.Fail(SetCall.Run, Item("k", ByteString.CopyFrom(new byte[CallHarness.MaxItemBytes])));
        Assert.Equal(StatusCode.ResourceExhausted, error.Code);
        Assert.Equal("request_size_limit_exceeded", error.Cause);
        Assert.Contains("request limit", error.Message, StringComparison.Ordinal);
        Assert.Contains("1000", error.Message, StringComparison.Ordinal);
    }

    private static SetRequest Item(string key, ByteString value) => new() { Key = CallHarness.Bytes(key), Value = value, TtlMs = 10_000 };

    private static IncrementRequest Increment(string key, long amount) => new() { Key = CallHarness.Bytes(key), Amount = amount, TtlMs = 10_000 };
}
