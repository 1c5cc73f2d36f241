using System.Diagnostics;
using Larder.Harness.Processes;
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
            using ChildProcess tuner = TunerProgram.Start("tune", "--transport", "pipeline", "--output", folder.FullName);
            // Its first line is written before anything is started, another when programs run that must be ended.
            await tuner.UntilLoggedAsync("warmed up: dotnet");
            Assert.StartsWith("tuning dotnet (pipeline)", tuner.Log, StringComparison.Ordinal);
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
            Assert.EndsWith("interrupted", (await tuner.WholeLogAsync()).TrimEnd(), StringComparison.Ordinal);
            Assert.Empty(folder.GetFiles());
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData(Signals.Terminate, 143)]
    [InlineData(Signals.HangUp, 129)]
    public async Task A_signal_ends_a_run_with_all_that_it_has_started(int signal, int exitCode)
    {
        using ChildProcess tuner = TunerProgram.Start("bench", "neighbour", "frames", "--seconds", "30");
        string[] started;
        long begun = Stopwatch.GetTimestamp();
        // Client, attackers and two servers.
        while ((started = ChildrenOf(tuner.Id)).Length < 4)
        {
            Assert.True(Stopwatch.GetElapsedTime(begun) < ChildProcess.Patience, $"{started.Length} started");
            await Task.Delay(20);
        }

        tuner.Signal(signal);
        Assert.Equal(exitCode, await tuner.WaitForExitAsync());
        while (started.Any(IsRunning) && Stopwatch.GetElapsedTime(begun) < ChildProcess.Patience)
        {
            await Task.Delay(20);
        }

        Assert.DoesNotContain(started, IsRunning);
    }

    [RedisFact]
    public async Task Ctrl_C_ends_a_sweep_with_all_that_it_has_started_before_a_cluster()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-interrupted-");
        try
        {
            // Its second rung is not over by the time that its first has been read of, however busy the machine is.
            string[] quick = ["--rounds", "1", "--noise-limit", "9", "--seconds", "5", "--warmup", "0"];
            string[] words = ["bench", "--store", "redis-cluster", "--in-flight", "1,2,3", .. quick];
            using var tuner = ChildProcess.Start(
                TunerProgram.Command(words) with { Environment = new Dictionary<string, string?> { ["TMPDIR"] = folder.FullName } });
            await tuner.UntilLoggedAsync("req/s");
            Assert.Contains("1 callers", tuner.Log, StringComparison.Ordinal);
            Assert.Equal(4, MembersIn(folder).Length);
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
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

    // Processes that this one has started, as folders of /proc.
    private static string[] ChildrenOf(int parent) =>
        [.. Directory.GetDirectories("/proc").Where(process => StatusOf(process).Contains($"\nPPid:\t{parent}\n", StringComparison.Ordinal))];

    // One that has ended is there until its parent asks.
    private static bool IsRunning(string process) => StatusOf(process) is { Length: > 0 } status && !status.Contains("State:\tZ", StringComparison.Ordinal);

    private static string StatusOf(string process) => UnlessGone(() => File.ReadAllText($"{process}/status"));

    // A front and each redis-server write to a log in their fleet's folder.
    private static string[] MembersIn(DirectoryInfo folder) =>
        [.. Directory.GetDirectories("/proc").Where(process => LogOf(process).StartsWith(folder.FullName, StringComparison.Ordinal))];

    private static string LogOf(string process) => UnlessGone(() => File.ResolveLinkTarget($"{process}/fd/1", returnFinalTarget: false)?.FullName ?? "");

    private static string UnlessGone(Func<string> read)
    {
        try
        {
            return read();
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
