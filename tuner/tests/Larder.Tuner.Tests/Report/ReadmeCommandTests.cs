using Larder.Tuner.Processes;
using Larder.Tuner.Report;

namespace Larder.Tuner.Tests.Report;

public sealed class ReadmeCommandTests
{
    [Fact]
    public void Committed_results_and_pictures_are_up_to_date() =>
        Assert.All(ReadmeCommand.Made(), made => Assert.Equal(made.Text, File.ReadAllText(Path.Combine(Programs.Root, made.Name))));

    [Fact]
    public void Committed_runs_in_older_format_can_be_read() =>
        Assert.Contains(ReadmeCommand.Committed(), one => one.Run.Version == 1 && one.File.StartsWith("in-region-1ms/", StringComparison.Ordinal));
}
