using Larder.Server.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class FaultScriptTests
{
    [Fact]
    public void A_call_without_fault_metadata_has_no_script() =>
        Assert.Null(FaultScript.Parse(new RpcRequestHeaders(("cache", "c"), ("request-id", "r"))));

    [Fact]
    public void An_error_is_read_by_its_kebab_name()
    {
        FaultScript script = FaultScript.Parse(new RpcRequestHeaders(("request-id", "r"),
            ("return-error", "resource-exhausted"),
            ("error-rpcs", "get set-if"),
            ("error-count", "2")))!;
        Assert.Equal(StatusCode.ResourceExhausted, script.Error!.Code);
        Assert.Equal(["get", "set-if"], script.ErrorRpcs);
        Assert.Equal(2, script.ErrorCount);
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("ok")]
    public void A_status_that_is_no_failure_is_no_script(string status) =>
        Assert.Null(FaultScript.Parse(new RpcRequestHeaders(("return-error", status))));
}
