using Larder.Harness.Processes;
using Larder.Report.Runs;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Tune;

public sealed class BudgetTests
{
    [Theory]
    [InlineData("39s", "--budget 39s is too short; this run needs at least 40s")]
    [InlineData("4s", "--budget 4s is too short; this run needs at least 40s")]
    [InlineData("3601s", "--budget must be a number with its unit (us, ms, s), such as 5ms, at most 3600s, but is \"3601s\"")]
    [InlineData("36000s", "--budget must be a number with its unit (us, ms, s), such as 5ms, at most 3600s, but is \"36000s\"")]
    public async Task Too_short_budget_is_rejected(string budget, string message)
    {
        using ChildProcess tuner = TunerProgram.Start("tune", "--budget", budget);
        Assert.Equal(2, await tuner.WaitForExitAsync());
        Assert.Equal(message, (await tuner.WholeLogAsync()).Trim());
    }

    [Fact]
    public async Task First_line_states_the_budget_as_maximum_time()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-budget-");
        try
        {
            using ChildProcess tuner = TunerProgram.Start("tune", "--budget", "40s", "--output", folder.FullName);
            await tuner.UntilLoggedAsync("at most");
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
            Assert.Contains("about 40 s at most", await tuner.WholeLogAsync(), StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData(1, 1, 0, 40)]
    [InlineData(2, 1, 0, 60)]
    [InlineData(1, 3, 0, 70)]
    [InlineData(2, 1, 1, 75)]
    public void MinBudget_grows_with_targets_channels_and_peers(int targets, int channels, int peers, int seconds)
    {
        var options = new TuneOptions
        {
            Client = "dotnet",
            Targets = [.. Enumerable.Range(1, targets).Select(static at => new TuneTarget(0.999, at * 5_000))],
            Channels = [.. Enumerable.Range(1, channels).Select(static number => (int?)number)],
            Peers = [.. Enumerable.Repeat("redis", peers)],
        };
        Assert.Equal(TimeSpan.FromSeconds(seconds), options.MinBudget);
    }
}
