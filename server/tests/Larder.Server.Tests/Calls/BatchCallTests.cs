using System.Buffers;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Calls;

public sealed class BatchCallTests : IDisposable
{
    private readonly CallHarness _calls = new();

    public void Dispose() => _calls.Dispose();

    [Fact]
    public void GetBatch_returns_results_in_request_order()
    {
        _calls.Set("a", "1");
        _calls.Set("c", "");
        GetBatchResult result = _calls.Run<GetBatchResult>(GetBatchCall.Run, Gets("a", "b", "c", "a"));
        Assert.Equal([CacheResult.Hit, CacheResult.Miss, CacheResult.Hit, CacheResult.Hit], result.Responses.Select(response => response.Result));
        Assert.Equal(["1", "", "", "1"], result.Responses.Select(response => response.Value.ToStringUtf8()));
    }

    [Fact]
    public void SetBatch_stores_all_items_and_returns_results_in_order()
    {
        SetBatchResult result = _calls.Run<SetBatchResult>(SetBatchCall.Run, Sets(("a", 1_000), ("b", 1_000)));
        Assert.Equal([CacheResult.Ok, CacheResult.Ok], result.Responses.Select(response => response.Result));
        Assert.All(_calls.Run<GetBatchResult>(GetBatchCall.Run, Gets("a", "b")).Responses, response => Assert.Equal("v", response.Value.ToStringUtf8()));
    }

    [Fact]
    public void Invalid_item_fails_the_batch_before_anything_is_stored()
    {
        Assert.Equal(StatusCode.InvalidArgument, _calls.Fail(SetBatchCall.Run, Sets(("a", 1_000), ("b", 0))).Code);
        Assert.Equal(CacheResult.Miss, _calls.Run<GetBatchResult>(GetBatchCall.Run, Gets("a")).Responses[0].Result);
        Assert.Equal(CallError.EmptyKey, _calls.Fail(GetBatchCall.Run, Gets("a", "")));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(-1, false)]
    [InlineData(-9_000, false)]
    public void GetBatch_stops_when_response_exceeds_size_limit(int over, bool isAnswered)
    {
        // There are ten responses. Each has 905 bytes when encoded.
        const int all = 10 * 905;
        _calls.Set("k", new string('v', 900 - 3));
        ArrayBufferWriter<byte> answer = new();
        CallTarget target = _calls.Target with { MaxAnswerBytes = all + over };
        CallError? error = GetBatchCall.Run(target, Gets([.. Enumerable.Repeat("k", 10)]).ToByteArray(), answer);
        Assert.Equal(isAnswered ? null : CallError.UseUnary, error);
        Assert.InRange(answer.WrittenCount, 0, target.MaxAnswerBytes);
        Assert.Equal(isAnswered, answer.WrittenCount == all);
    }

    [Fact]
    public void GetBatch_of_misses_stops_at_size_limit()
    {
        ArrayBufferWriter<byte> answer = new();
        Assert.Equal(
            CallError.UseUnary,
            GetBatchCall.Run(_calls.Target with { MaxAnswerBytes = 100 }, Gets([.. Enumerable.Repeat("k", 1_000)]).ToByteArray(), answer));
        Assert.Equal(100, answer.WrittenCount);
    }

    [Theory]
    [InlineData(100, true)]
    [InlineData(99, false)]
    public void GetWithHash_requires_unary_call_when_value_exceeds_limit(int maxBytes, bool isAnswered)
    {
        _calls.Set("k", new string('v', 100));
        ArrayBufferWriter<byte> answer = new();
        CallError? error = GetWithHashCall.Run(
            _calls.Target with
            {
                MaxAnswerBytes = maxBytes,
            },
            new GetWithHashRequest { Key = CallHarness.Bytes("k") }.ToByteArray(),
            answer);
        Assert.Equal(isAnswered ? null : CallError.UseUnary, error);
        Assert.Equal(isAnswered, answer.WrittenCount > 0);
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
