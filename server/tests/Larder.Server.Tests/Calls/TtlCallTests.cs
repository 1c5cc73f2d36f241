using Larder.Protocol;
using Larder.Server.Calls;
using Found = Larder.Protocol.ItemGetTtlResponse.OutcomeOneofCase;
using Outcome = Larder.Protocol.UpdateTtlResponse.OutcomeOneofCase;

namespace Larder.Server.Tests.Calls;

public sealed class TtlCallTests : IDisposable
{
    private readonly CallHarness _calls = new();

    public void Dispose() => _calls.Dispose();

    [Fact]
    public void ItemGetTtl_returns_remaining_time_of_a_key()
    {
        _calls.Set("k", "v");
        ItemGetTtlResponse response = _calls.Run<ItemGetTtlResponse>(ItemGetTtlCall.Run, new ItemGetTtlRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(Found.Found, response.OutcomeCase);
        Assert.InRange(response.Found.RemainingMs, 1UL, CallHarness.MaxTtlMs - 1);
    }

    [Fact]
    public void ItemGetTtl_and_ItemGetType_return_missing_for_unknown_key()
    {
        Assert.Equal(Found.Missing, _calls.Run<ItemGetTtlResponse>(ItemGetTtlCall.Run, new ItemGetTtlRequest { Key = CallHarness.Bytes("k") }).OutcomeCase);
        Assert.NotNull(_calls.Run<ItemGetTypeResponse>(ItemGetTypeCall.Run, new ItemGetTypeRequest { Key = CallHarness.Bytes("k") }).Missing);
    }

    [Fact]
    public void ItemGetType_returns_scalar_for_a_stored_value()
    {
        _calls.Set("k", "v");
        ItemGetTypeResponse response = _calls.Run<ItemGetTypeResponse>(ItemGetTypeCall.Run, new ItemGetTypeRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(ItemGetTypeResponse.Types.ItemType.Scalar, response.Found.Type);
    }

    [Fact]
    public void UpdateTtl_increases_decreases_or_overwrites_as_requested()
    {
        UpdateTtlRequest increase = new() { Key = CallHarness.Bytes("k"), IncreaseToMs = 30_000 };
        UpdateTtlRequest decrease = new() { Key = CallHarness.Bytes("k"), DecreaseToMs = 20_000 };
        UpdateTtlRequest overwrite = new() { Key = CallHarness.Bytes("k"), OverwriteToMs = 50_000 };
        Assert.Equal(Outcome.Missing, Update(increase));
        _calls.Set("k", "v");
        Assert.Equal(Outcome.NotSet, Update(increase));
        Assert.Equal(Outcome.Set, Update(decrease));
        Assert.Equal(Outcome.NotSet, Update(decrease.Clone().With(25_000)));
        Assert.Equal(Outcome.Set, Update(increase));
        Assert.Equal(Outcome.Set, Update(overwrite));
    }

    [Fact]
    public void UpdateTtl_rejects_request_without_a_change() =>
        Assert.Equal(CallError.NoTtlChange, _calls.Fail(UpdateTtlCall.Run, new UpdateTtlRequest { Key = CallHarness.Bytes("k") }));

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    [InlineData(640, false)]
    public void UpdateTtlIfPrefix_accepts_a_prefix_of_at_most_64_bytes(int bytes, bool isAccepted)
    {
        string prefix = new('x', bytes);
        _calls.Set("k", prefix + "y");
        UpdateTtlIfPrefixRequest request = new() { Key = CallHarness.Bytes("k"), Prefix = CallHarness.Bytes(prefix), TtlMs = 30_000 };
        if (isAccepted)
        {
            Assert.NotNull(_calls.Run<UpdateTtlIfPrefixResponse>(UpdateTtlIfPrefixCall.Run, request).Set);
        }
        else
        {
            Assert.Equal(CallError.PrefixTooLong(bytes, 64), _calls.Fail(UpdateTtlIfPrefixCall.Run, request));
        }
    }

    private Outcome Update(UpdateTtlRequest request) => _calls.Run<UpdateTtlResponse>(UpdateTtlCall.Run, request).OutcomeCase;
}

file static class UpdateTtlRequests
{
    public static UpdateTtlRequest With(this UpdateTtlRequest request, ulong decreaseToMs)
    {
        request.DecreaseToMs = decreaseToMs;
        return request;
    }
}
