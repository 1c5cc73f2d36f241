using Larder.Harness.Processes;
using Larder.Lab.Neighbours;

namespace Larder.Lab.Tests.Neighbours;

public sealed class NeighbourOptionsTests
{
    [Theory]
    [InlineData(19, false, "nice 19", "nice -n 19 dotnet attack.dll flooder")]
    [InlineData(0, false, "nice 0", "dotnet attack.dll flooder")]
    [InlineData(19, true, "idle", "chrt --idle 0 dotnet attack.dll flooder")]
    public void StandingBack_applies_nice_and_idle_options(int nice, bool isIdle, string standing, string typed)
    {
        NeighbourOptions options = new() { Transports = [], Rounds = 1, Seconds = 1, RatePerSecond = 1, AttackersNice = nice, AttackersIdle = isIdle };
        ProgramCommand attackers = options.StandingBack(
            ProgramCommand.Dotnet("attackers", "attack.dll", "flooder") with { Environment = new Dictionary<string, string?> { ["KEPT"] = "1" } });
        Assert.Equal((standing, typed), (options.Standing, string.Join(' ', [attackers.Program, .. attackers.Arguments])));
        Assert.Equal("1", attackers.Environment["KEPT"]);
        Assert.Equal(isIdle, attackers.Environment.ContainsKey("DOTNET_ThreadPool_UnfairSemaphoreSpinLimit"));
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("NaN")]
    public async Task Noise_limit_of_0_or_less_is_rejected(string limit)
    {
        using ChildProcess tuner = LabProgram.Start("neighbour", "frames", "--noise-limit", limit);
        Assert.Equal(2, await tuner.WaitForExitAsync());
        Assert.Contains("greater than 0", await tuner.WholeLogAsync(), StringComparison.Ordinal);
    }
}
