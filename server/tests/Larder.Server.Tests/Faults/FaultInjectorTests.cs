using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class FaultInjectorTests
{
    private static readonly CallError Error = new(StatusCode.Unavailable, "injected");

    [Fact]
    public void Error_is_injected_the_requested_number_of_times()
    {
        FaultInjector injector = new();
        FaultScript script = new() { RequestId = "r", Error = Error, ErrorRpcs = ["get"], ErrorCount = 2 };
        Assert.Equal(Error, injector.Decide(script, "get").Error);
        Assert.Equal(Error, injector.Decide(script, "get").Error);
        Assert.Null(injector.Decide(script, "get").Error);
    }

    [Fact]
    public void Errors_are_counted_per_request_id_and_RPC()
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
    public void Fault_script_does_not_affect_other_RPCs()
    {
        FaultScript script = new() { RequestId = "r", Error = Error, ErrorRpcs = ["get"], DelayRpcs = ["set"], Delay = TimeSpan.FromSeconds(1) };
        Assert.Equal(new FaultDecision(TimeSpan.Zero, null), new FaultInjector().Decide(script, "delete"));
        Assert.Equal(TimeSpan.FromSeconds(1), new FaultInjector().Decide(script, "set").Delay);
    }

    [Theory]
    [InlineData("/cache_client.Scs/SetIfNotExists", "set-if-not-exists")]
    [InlineData("/cache_client.Ping/Ping", "ping")]
    public void KebabName_converts_an_RPC_path(string path, string name) => Assert.Equal(name, FaultInterceptor.KebabName(path));
}
