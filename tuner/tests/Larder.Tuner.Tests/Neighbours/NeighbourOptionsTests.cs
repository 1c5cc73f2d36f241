using Larder.Harness.Processes;
using Larder.Tuner.Neighbours;

namespace Larder.Tuner.Tests.Neighbours;

public sealed class NeighbourOptionsTests
{
    [Theory]
    [InlineData(19, false, "nice 19", "nice -n 19 dotnet attack.dll flooder")]
    [InlineData(0, false, "nice 0", "dotnet attack.dll flooder")]
    [InlineData(19, true, "idle", "chrt --idle 0 dotnet attack.dll flooder")]
    public void Attackers_stand_back_as_they_are_told_to(int nice, bool isIdle, string standing, string typed)
    {
        NeighbourOptions options = new() { Transports = [], Rounds = 1, Seconds = 1, RatePerSecond = 1, AttackersNice = nice, AttackersIdle = isIdle };
        ProgramCommand attackers = options.StandingBack(ProgramCommand.Dotnet("attackers", "attack.dll", "flooder"));
        Assert.Equal((standing, typed), (options.Standing, string.Join(' ', [attackers.Program, .. attackers.Arguments])));
        Assert.Equal(isIdle, attackers.Environment.ContainsKey("DOTNET_ThreadPool_UnfairSemaphoreSpinLimit"));
    }
}
