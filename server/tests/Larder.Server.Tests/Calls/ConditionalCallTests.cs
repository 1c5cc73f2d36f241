using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Wire;
using Condition = Larder.Protocol.SetIfRequest.ConditionOneofCase;

namespace Larder.Server.Tests.Calls;

public sealed class ConditionalCallTests : IDisposable
{
    private readonly CallHarness _calls = new();

    public void Dispose() => _calls.Dispose();

    [Theory]
    [InlineData(Condition.Present, null, false)]
    [InlineData(Condition.Present, "x", true)]
    [InlineData(Condition.Absent, null, true)]
    [InlineData(Condition.Absent, "x", false)]
    [InlineData(Condition.Equal, null, false)]
    [InlineData(Condition.Equal, "x", false)]
    [InlineData(Condition.Equal, "operand", true)]
    [InlineData(Condition.NotEqual, null, true)]
    [InlineData(Condition.NotEqual, "x", true)]
    [InlineData(Condition.NotEqual, "operand", false)]
    [InlineData(Condition.AbsentOrEqual, null, true)]
    [InlineData(Condition.AbsentOrEqual, "x", false)]
    [InlineData(Condition.AbsentOrEqual, "operand", true)]
    [InlineData(Condition.PresentAndNotEqual, null, false)]
    [InlineData(Condition.PresentAndNotEqual, "x", true)]
    [InlineData(Condition.PresentAndNotEqual, "operand", false)]
    internal void SetIf_stores_value_only_when_condition_holds(Condition condition, string? present, bool stores)
    {
        if (present is not null)
        {
            _calls.Set("k", present);
        }

        SetIfResponse response = _calls.Run<SetIfResponse>(SetIfCall.Run, Request(condition));
        Assert.Equal(stores ? SetIfResponse.OutcomeOneofCase.Stored : SetIfResponse.OutcomeOneofCase.NotStored, response.OutcomeCase);
        GetResponse get = _calls.Run<GetResponse>(GetCall.Run, new GetRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(stores ? "new" : present ?? "", get.Value.ToStringUtf8());
    }

    [Fact]
    public void SetIf_rejects_request_without_a_condition()
    {
        SetIfRequest request = Request(Condition.None);
        Assert.Equal(CallError.NoCondition, _calls.Fail(SetIfCall.Run, request));
        Assert.Equal(CallError.NoCondition, _calls.Fail(SetIfHashCall.Run, request));
    }

    [Fact]
    public void SetIfNotExists_stores_only_once()
    {
        SetIfNotExistsRequest request = new() { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes("v"), TtlMs = 1_000 };
        Assert.NotNull(_calls.Run<SetIfNotExistsResponse>(SetIfNotExistsCall.Run, request).Stored);
        Assert.NotNull(_calls.Run<SetIfNotExistsResponse>(SetIfNotExistsCall.Run, request).NotStored);
    }

    [Fact]
    public void SetIfHash_returns_same_hash_as_GetWithHash_for_use_in_conditions()
    {
        ByteString hash = _calls.Run<SetIfHashResponse>(SetIfHashCall.Run, HashRequest("one", request => request.Unconditional = new Empty())).Stored.NewHash;
        GetWithHashResponse found = _calls.Run<GetWithHashResponse>(GetWithHashCall.Run, new GetWithHashRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal("one", found.Found.Value.ToStringUtf8());
        Assert.Equal(hash, found.Found.Hash);

        HashComparand same = new() { Hash = hash };
        Assert.NotNull(_calls.Run<SetIfHashResponse>(SetIfHashCall.Run, HashRequest("no", request => request.PresentAndNotHashEqual = same)).NotStored);
        Assert.NotNull(_calls.Run<SetIfHashResponse>(SetIfHashCall.Run, HashRequest("no", request => request.AbsentOrNotHashEqual = same)).NotStored);
        Assert.NotNull(_calls.Run<SetIfHashResponse>(SetIfHashCall.Run, HashRequest("two", request => request.PresentAndHashEqual = same)).Stored);
        Assert.NotNull(_calls.Run<SetIfHashResponse>(SetIfHashCall.Run, HashRequest("no", request => request.AbsentOrHashEqual = same)).NotStored);
    }

    [Fact]
    public void GetWithHash_returns_missing_for_unknown_key() =>
        Assert.NotNull(_calls.Run<GetWithHashResponse>(GetWithHashCall.Run, new GetWithHashRequest { Key = CallHarness.Bytes("k") }).Missing);

    private static SetIfHashRequest HashRequest(string value, Action<SetIfHashRequest> condition)
    {
        SetIfHashRequest request = new() { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes(value), TtlMs = 1_000 };
        condition(request);
        return request;
    }

    private static SetIfRequest Request(Condition condition)
    {
        SetIfRequest request = new() { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes("new"), TtlMs = 1_000 };
        Comparand operand = new() { Value = CallHarness.Bytes("operand") };
        switch (condition)
        {
            case Condition.Present:
                request.Present = new Empty();
                break;
            case Condition.Absent:
                request.Absent = new Empty();
                break;
            case Condition.Equal:
                request.Equal = operand;
                break;
            case Condition.NotEqual:
                request.NotEqual = operand;
                break;
            case Condition.AbsentOrEqual:
                request.AbsentOrEqual = operand;
                break;
            case Condition.PresentAndNotEqual:
                request.PresentAndNotEqual = operand;
                break;
            default:
                break;
        }

        return request;
    }
}
