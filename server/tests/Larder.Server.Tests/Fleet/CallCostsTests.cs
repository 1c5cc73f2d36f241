using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet;

public sealed class CallCostsTests
{
    [Fact]
    public void CallCosts_names_every_call_of_a_gateway_and_no_other() =>
        Assert.Equal(RemoteCallTable.ByName.Keys.Order(), CallCosts.ByName.Keys.Order());

    [Theory]
    [InlineData(0, nameof(Effort.Small))]
    [InlineData(FleetLimits.SmallElements, nameof(Effort.Small))]
    [InlineData(FleetLimits.SmallElements + 1, nameof(Effort.Light))]
    [InlineData(FleetLimits.LightElements, nameof(Effort.Light))]
    [InlineData(FleetLimits.LightElements + 1, nameof(Effort.Heavy))]
    [InlineData(10 * FleetLimits.LightElements, nameof(Effort.Heavy))]
    public void OfElements_tells_the_effort(int elements, string effort) => Assert.Equal(effort, $"{Efforts.OfElements(elements)}");
}
