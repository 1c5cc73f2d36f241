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
        Assert.Equal(["get", "set-if", "set-if-not-exists"], script.ErrorRpcs);
        Assert.Equal(2, script.ErrorCount);
    }

    [Theory]
    [InlineData("set-if", "set-if-not-exists")]
    [InlineData("list-remove", "list-erase")]
    public void A_name_reaches_the_later_form_of_its_call_too_and_the_later_name_that_alone(string name, string later)
    {
        FaultScript both = FaultScript.Parse(new RpcRequestHeaders(("delay-rpcs", name), ("stream-error", "aborted"), ("stream-error-rpcs", name)))!;
        Assert.Equal([name, later], both.DelayRpcs);
        Assert.Equal([name, later], both.StreamErrorRpcs);
        Assert.Equal([later], FaultScript.Parse(new RpcRequestHeaders(("delay-rpcs", later)))!.DelayRpcs);
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("ok")]
    public void A_status_that_is_no_failure_is_no_script(string status) =>
        Assert.Null(FaultScript.Parse(new RpcRequestHeaders(("return-error", status))));
}
