using Larder.Harness.Processes;

namespace Larder.Tuner.Tests;

public sealed class OutputCheckTests
{
    [Theory]
    [InlineData("tune --output FILE/below")]
    [InlineData("tune --output /proc/none/below")]
    [InlineData("bench --output FILE/below.txt")]
    [InlineData("bench --output /proc/none/below.txt")]
    public async Task Unwritable_output_is_rejected_before_measuring(string words)
    {
        string file = Path.GetTempFileName();
        try
        {
            using ChildProcess tuner = TunerProgram.Start(words.Replace("FILE", file, StringComparison.Ordinal).Split(' '));
            int exitCode = await tuner.WaitForExitAsync();
            string log = await tuner.WholeLogAsync();
            Assert.True(exitCode == 2, $"{exitCode}: {log}");
            Assert.StartsWith("cannot write ", log, StringComparison.Ordinal);
            Assert.EndsWith("Pass another --output.", log.TrimEnd(), StringComparison.Ordinal);
            Assert.Single(log.Trim().Split('\n'));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task Unwritable_default_folder_is_rejected()
    {
        using var tuner = ChildProcess.Start(TunerProgram.Command("tune") with { Folder = "/proc" });
        Assert.Equal(2, await tuner.WaitForExitAsync());
        Assert.StartsWith("cannot write /proc/larder-tune: ", await tuner.WholeLogAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public void Folder_check_creates_nothing()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-output-");
        try
        {
            Assert.Null(OutputCheck.ProblemOfFolder(Path.Combine(folder.FullName, "missing", "below")));
            Assert.Empty(folder.GetFileSystemInfos());
            Assert.Throws<FormatException>(() => OutputCheck.RequireFolder("/proc/none/below"));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
