using System.Diagnostics;
using Larder.Tuner.Processes;
using Larder.Tuner.Tests.Bench;

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
            // Its first line is written before anything is started, another when programs run that must be ended.
            Assert.StartsWith("tuning dotnet (pipeline)", await tuner.StandardError.ReadLineAsync(), StringComparison.Ordinal);
            // Between them the machine may be said not to keep a target itself.
            Assert.Contains("warmed up: dotnet", await ReadUntilAsync(tuner.StandardError, "warmed up"), StringComparison.Ordinal);
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

    [RedisFact]
    public async Task Ctrl_C_ends_a_sweep_with_all_that_it_has_started_before_a_cluster()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-interrupted-");
        try
        {
            string[] quick = ["--rounds", "1", "--noise-limit", "9", "--seconds", "0.1", "--warmup", "0"];
            string[] words = ["bench", "--store", "redis-cluster", "--in-flight", "1,2", .. quick];
            using Process tuner = Process.Start(
                new ProcessStartInfo("dotnet", [typeof(Interruption).Assembly.Location, .. words])
                {
                    WorkingDirectory = Programs.Root,
                    RedirectStandardError = true,
                    RedirectStandardOutput = true,
                    Environment = { ["TMPDIR"] = folder.FullName },
                })!;
            Assert.Contains("1 callers", await ReadUntilAsync(tuner.StandardError, "req/s"), StringComparison.Ordinal);
            Assert.Equal(4, MembersIn(folder).Length);
            using (var kill = Process.Start("kill", ["-INT", $"{tuner.Id}"]))
            {
                await kill.WaitForExitAsync();
            }

            await tuner.StandardError.ReadToEndAsync();
            await tuner.WaitForExitAsync();
            Assert.Equal(130, tuner.ExitCode);
            // The fleet ends what is its own, and has seconds for it.
            for (int look = 0; look < 200 && (MembersIn(folder).Length > 0 || folder.GetDirectories("larder-fleet-*").Length > 0); look++)
            {
                await Task.Delay(100);
            }

            Assert.Empty(MembersIn(folder));
            Assert.Empty(folder.GetDirectories("larder-fleet-*"));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<string?> ReadUntilAsync(StreamReader lines, string text)
    {
        string? line;
        do
        {
            line = await lines.ReadLineAsync();
        }
        while (line is not null && !line.Contains(text, StringComparison.Ordinal));
        return line;
    }

    // A front and each redis-server write to a log in their fleet's folder.
    private static string[] MembersIn(DirectoryInfo folder) =>
        [.. Directory.GetDirectories("/proc").Where(process => LogOf(process).StartsWith(folder.FullName, StringComparison.Ordinal))];

    private static string LogOf(string process)
    {
        try
        {
            return File.ResolveLinkTarget($"{process}/fd/1", returnFinalTarget: false)?.FullName ?? "";
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
