using Larder.Tuner.Processes;
using Larder.Tuner.Report;

namespace Larder.Tuner.Tests.Report;

public sealed class ReadmeCommandTests
{
    [Fact]
    public void The_results_and_pictures_are_what_the_program_makes_of_the_committed_runs() =>
        Assert.All(ReadmeCommand.Made(), made => Assert.Equal(made.Text, File.ReadAllText(Path.Combine(Programs.Root, made.Name))));

    [Fact]
    public void The_committed_runs_of_an_older_version_are_read_too() =>
        Assert.Contains(ReadmeCommand.Committed(), one => one.Run.Version == 1 && one.File.StartsWith("in-region-1ms/", StringComparison.Ordinal));
}
