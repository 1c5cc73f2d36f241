using Larder.Harness.Processes;

namespace Larder.Lab.Tests;

public sealed class OutputTests
{
    [Theory]
    [InlineData("adaptive --output FILE/below.txt")]
    [InlineData("attackers --output FILE/below.txt")]
    [InlineData("cost --output FILE/below.txt")]
    [InlineData("cost --output /proc/none/below.txt")]
    [InlineData("fleet-soak --output FILE/below.txt")]
    [InlineData("floor --output FILE/below.txt")]
    [InlineData("known --output FILE/below.txt")]
    [InlineData("near --output FILE/below.txt")]
    [InlineData("neighbour frames --output FILE/below.txt")]
    [InlineData("redis-benchmark --output FILE/below.txt")]
    [InlineData("soak --output FILE/below.txt")]
    [InlineData("story --output FILE/below")]
    [InlineData("tokens --output FILE/below.txt")]
    [InlineData("topics --output FILE/below.txt")]
    public async Task Unwritable_output_is_rejected_before_measuring(string words)
    {
        string file = Path.GetTempFileName();
        try
        {
            using ChildProcess lab = LabProgram.Start(words.Replace("FILE", file, StringComparison.Ordinal).Split(' '));
            int exitCode = await lab.WaitForExitAsync();
            string log = await lab.WholeLogAsync();
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
}
