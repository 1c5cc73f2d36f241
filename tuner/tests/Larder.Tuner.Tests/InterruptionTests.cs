using System.Diagnostics;
using Larder.Harness.Processes;
using Larder.Report.Runs;
using Larder.Tuner.Tests.Bench;

namespace Larder.Tuner.Tests;

public sealed class InterruptionTests
{
    [Fact]
    public async Task Ctrl_C_before_measurement_writes_nothing_and_exits_with_130()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-interrupted-");
        try
        {
            using ChildProcess tuner = TunerProgram.Start("tune", "--transport", "pipeline", "--seconds", "5", "--output", folder.FullName);
            // The first line of the output appears before any process is started. Wait for a later line, which appears when processes are running that must be
            // stopped.
            await tuner.UntilLoggedAsync("warmed up: dotnet");
            Assert.StartsWith("tuning dotnet (pipeline)", tuner.Log, StringComparison.Ordinal);
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
            Assert.EndsWith("interrupted\nInterrupted before anything was measured.", (await tuner.WholeLogAsync()).TrimEnd(), StringComparison.Ordinal);
            Assert.Empty(folder.GetFiles());
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task Ctrl_C_during_tuning_writes_finished_measurements()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-interrupted-");
        try
        {
            using ChildProcess tuner = TunerProgram.Start(
                "tune", "--transport", "pipeline", "--seconds", "1", "--noise-limit", "9", "--output", folder.FullName);
            await tuner.UntilLoggedAsync("in flight, pass 1");
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
            string[] files = [.. folder.GetFiles().Select(static file => file.Name).Order(StringComparer.Ordinal)];
            Assert.Contains("tune-dotnet-pipeline-p999-5ms-incomplete.html", files);
            Assert.All(files, static name => Assert.Contains("-incomplete", name, StringComparison.Ordinal));
            TuneRun run = TuneRunFile.Read(Path.Combine(folder.FullName, "tune-dotnet-pipeline-p999-5ms-incomplete.json"));
            Assert.True(run.Interrupted);
            Assert.NotEmpty(run.Search);
            Assert.StartsWith("Interrupted after ", run.Answer, StringComparison.Ordinal);
            Assert.EndsWith("this run is incomplete.", run.Answer, StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task Ctrl_C_during_sweep_writes_finished_rows()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-interrupted-");
        try
        {
            string file = Path.Combine(folder.FullName, "missing", "sweep.txt");
            using ChildProcess tuner = TunerProgram.Start(
                "bench", "--in-flight", "1,2,3", "--rounds", "1", "--noise-limit", "9", "--seconds", "3", "--warmup", "0", "--output", file);
            await tuner.UntilLoggedAsync("req/s");
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
            string[] lines = await File.ReadAllLinesAsync(file);
            Assert.Contains(lines, static line => line.StartsWith("| ", StringComparison.Ordinal) && line.Contains("pipeline", StringComparison.Ordinal));
            Assert.Contains(lines, static line => line.StartsWith("- Interrupted: the table is incomplete", StringComparison.Ordinal));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData(Signals.Terminate, 143)]
    [InlineData(Signals.HangUp, 129)]
    public async Task Signal_stops_run_and_all_child_processes(int signal, int exitCode)
    {
        using ChildProcess tuner = TunerProgram.Start("bench", "--peer", "grpc-dotnet", "--seconds", "30");
        string[] started;
        long begun = Stopwatch.GetTimestamp();
        // The processes of the client, the peer and the server.
        while ((started = ChildrenOf(tuner.Id)).Length < 3)
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
    public async Task Ctrl_C_during_cluster_sweep_stops_all_child_processes()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-interrupted-");
        try
        {
            // Rounds of 5 s are long enough that the second rung is still running when the test reads the result of the first one, even on a busy machine.
            string[] quick = ["--rounds", "1", "--noise-limit", "9", "--seconds", "5", "--warmup", "0"];
            string[] words = ["bench", "--store", "redis-cluster", "--in-flight", "1,2,3", .. quick];
            using var tuner = ChildProcess.Start(
                TunerProgram.Command(words) with { Environment = new Dictionary<string, string?> { ["TMPDIR"] = folder.FullName } });
            await tuner.UntilLoggedAsync("req/s");
            Assert.Contains("1 callers", tuner.Log, StringComparison.Ordinal);
            Assert.Equal(4, MembersIn(folder).Length);
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
            // The fleet stops its own processes. This may take seconds.
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

    // Returns the child processes of a process as folders of /proc.
    private static string[] ChildrenOf(int parent) =>
        [.. Directory.GetDirectories("/proc").Where(process => StatusOf(process).Contains($"\nPPid:\t{parent}\n", StringComparison.Ordinal))];

    // A process that has ended remains as a zombie until its parent waits for it.
    private static bool IsRunning(string process) => StatusOf(process) is { Length: > 0 } status && !status.Contains("State:\tZ", StringComparison.Ordinal);

    private static string StatusOf(string process) => UnlessGone(() => File.ReadAllText($"{process}/status"));

    // A gateway and each redis-server write to a log file in the fleet's folder.
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
