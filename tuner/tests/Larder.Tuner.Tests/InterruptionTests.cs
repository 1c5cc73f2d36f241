using System.Diagnostics;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tests;

public sealed class InterruptionTests
{
    [Fact]
    public async Task Ctrl_C_ends_a_tuning_with_one_word_and_130()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-interrupted-");
        try
        {
            using Process tuner = Process.Start(
                new ProcessStartInfo("dotnet", [typeof(Interruption).Assembly.Location, "tune", "--transport", "pipeline", "--output", folder.FullName])
                {
                    WorkingDirectory = Programs.Root,
                    RedirectStandardError = true,
                    RedirectStandardOutput = true,
                })!;
            // Its first line is written before anything is started, its second when programs run that must be ended.
            Assert.StartsWith("tuning dotnet (pipeline)", await tuner.StandardError.ReadLineAsync(), StringComparison.Ordinal);
            Assert.StartsWith("warmed up: dotnet", await tuner.StandardError.ReadLineAsync(), StringComparison.Ordinal);
            using (var kill = Process.Start("kill", ["-INT", $"{tuner.Id}"]))
            {
                await kill.WaitForExitAsync();
            }

            string rest = await tuner.StandardError.ReadToEndAsync();
            await tuner.WaitForExitAsync();
            Assert.Equal(130, tuner.ExitCode);
            Assert.EndsWith("interrupted", rest.TrimEnd(), StringComparison.Ordinal);
            Assert.Empty(folder.GetFiles());
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
