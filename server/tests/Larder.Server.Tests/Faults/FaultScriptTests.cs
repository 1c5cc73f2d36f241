using Larder.Server.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class FaultScriptTests
{
    [Fact]
    public void Parse_returns_null_without_fault_metadata() =>
        Assert.Null(FaultScript.Parse(new RpcRequestHeaders(("cache", "c"), ("request-id", "r"))));

    [Fact]
    public void Parse_reads_error_code_RPCs_and_count()
    {
        FaultScript script = FaultScript.Parse(new RpcRequestHeaders(("request-id", "r"),
            ("return-error", "resource-exhausted"),
            ("error-rpcs", "get set-if"),
            ("error-count", "2")))!;
        Assert.Equal(StatusCode.ResourceExhausted, script.Error!.Code);
        Assert.Equal(["get", "set-if", "set-if-not-exists"], script.ErrorRpcs);
        Assert.Equal(2, script.ErrorCount);
    }

    [Theory]
    [InlineData("set-if", "set-if-not-exists")]
    [InlineData("list-remove", "list-erase")]
    public void Old_RPC_name_in_fault_script_also_selects_newer_RPC(string name, string later)
    {
        FaultScript both = FaultScript.Parse(new RpcRequestHeaders(("delay-rpcs", name), ("stream-error", "aborted"), ("stream-error-rpcs", name)))!;
        Assert.Equal([name, later], both.DelayRpcs);
        Assert.Equal([name, later], both.StreamErrorRpcs);
        Assert.Equal([later], FaultScript.Parse(new RpcRequestHeaders(("delay-rpcs", later)))!.DelayRpcs);
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("ok")]
    public void Parse_returns_null_for_invalid_error_code(string status) =>
        Assert.Null(FaultScript.Parse(new RpcRequestHeaders(("return-error", status))));
}
