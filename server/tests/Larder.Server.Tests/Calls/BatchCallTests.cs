using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Calls;

public sealed class BatchCallTests : IDisposable
{
    private readonly CallHarness _calls = new();

    public void Dispose() => _calls.Dispose();

    [Fact]
    public void Gets_are_answered_in_the_order_of_the_items()
    {
        _calls.Set("a", "1");
        _calls.Set("c", "");
        GetBatchResult result = _calls.Run<GetBatchResult>(GetBatchCall.Run, Gets("a", "b", "c", "a"));
        Assert.Equal([CacheResult.Hit, CacheResult.Miss, CacheResult.Hit, CacheResult.Hit], result.Responses.Select(response => response.Result));
        Assert.Equal(["1", "", "", "1"], result.Responses.Select(response => response.Value.ToStringUtf8()));
    }

    [Fact]
    public void Sets_are_stored_and_answered_in_order()
    {
        SetBatchResult result = _calls.Run<SetBatchResult>(SetBatchCall.Run, Sets(("a", 1_000), ("b", 1_000)));
        Assert.Equal([CacheResult.Ok, CacheResult.Ok], result.Responses.Select(response => response.Result));
        Assert.All(_calls.Run<GetBatchResult>(GetBatchCall.Run, Gets("a", "b")).Responses, response => Assert.Equal("v", response.Value.ToStringUtf8()));
    }

    [Fact]
    public void A_bad_item_fails_the_batch_before_anything_is_stored()
    {
        Assert.Equal(StatusCode.InvalidArgument, _calls.Fail(SetBatchCall.Run, Sets(("a", 1_000), ("b", 0))).Code);
        Assert.Equal(CacheResult.Miss, _calls.Run<GetBatchResult>(GetBatchCall.Run, Gets("a")).Responses[0].Result);
        Assert.Equal(CallError.EmptyKey, _calls.Fail(GetBatchCall.Run, Gets("a", "")));
    }

    private static GetBatchRequest Gets(params string[] keys)
    {
        GetBatchRequest request = new();
        request.Items.AddRange(keys.Select(key => new GetRequest { Key = CallHarness.Bytes(key) }));
        return request;
    }

    private static SetBatchRequest Sets(params (string Key, ulong TtlMs)[] items)
    {
        SetBatchRequest request = new();
        request.Items.AddRange(items.Select(item => new SetRequest { Key = CallHarness.Bytes(item.Key), Value = CallHarness.Bytes("v"), TtlMs = item.TtlMs }));
        return request;
    }
}
