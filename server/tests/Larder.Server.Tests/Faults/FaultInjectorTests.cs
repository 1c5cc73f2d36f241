using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class FaultInjectorTests
{
    private static readonly CallError Error = new(StatusCode.Unavailable, "injected");

    [Fact]
    public void An_error_is_given_as_often_as_asked_for_and_then_no_more()
    {
        FaultInjector injector = new();
        FaultScript script = new() { RequestId = "r", Error = Error, ErrorRpcs = ["get"], ErrorCount = 2 };
        Assert.Equal(Error, injector.Decide(script, "get").Error);
        Assert.Equal(Error, injector.Decide(script, "get").Error);
        Assert.Null(injector.Decide(script, "get").Error);
    }

    [Fact]
    public void Each_request_id_and_each_rpc_is_counted_by_itself()
    {
        FaultInjector injector = new();
        FaultScript first = new() { RequestId = "1", Error = Error, ErrorRpcs = ["get", "set"], ErrorCount = 1 };
        FaultScript second = first with { RequestId = "2" };
        Assert.NotNull(injector.Decide(first, "get").Error);
        Assert.NotNull(injector.Decide(first, "set").Error);
        Assert.NotNull(injector.Decide(second, "get").Error);
        Assert.Null(injector.Decide(first, "get").Error);
    }

    [Fact]
    public void Other_rpcs_are_left_alone()
    {
        FaultScript script = new() { RequestId = "r", Error = Error, ErrorRpcs = ["get"], DelayRpcs = ["set"], Delay = TimeSpan.FromSeconds(1) };
        Assert.Equal(new FaultDecision(TimeSpan.Zero, null), new FaultInjector().Decide(script, "delete"));
        Assert.Equal(TimeSpan.FromSeconds(1), new FaultInjector().Decide(script, "set").Delay);
    }

    [Theory]
    [InlineData("/cache_client.Scs/SetIfNotExists", "set-if-not-exists")]
    [InlineData("/cache_client.Ping/Ping", "ping")]
    public void A_wire_path_has_its_kebab_name(string path, string name) => Assert.Equal(name, FaultInterceptor.KebabName(path));
}
