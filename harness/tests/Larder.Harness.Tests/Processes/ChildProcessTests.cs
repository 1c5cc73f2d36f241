using System.Diagnostics;
using System.Text.RegularExpressions;
using Larder.Harness.Processes;

namespace Larder.Harness.Tests.Processes;

public sealed partial class ChildProcessTests
{
    [Fact]
    public void Start_error_names_the_owner_and_the_missing_program()
    {
        HarnessException missing = Assert.Throws<HarnessException>(() => ChildProcess.Start(new ProgramCommand("the oven", "no-such-program")));
        Assert.StartsWith("the oven: cannot start no-such-program", missing.Message, StringComparison.Ordinal);
        Assert.Null(missing.ExitCode);
    }

    [Fact]
    public async Task ReadyAsync_kills_silent_program_at_timeout()
    {
        ChildProcess silent = Shell("exec sleep 60");
        HarnessException failure = await Assert.ThrowsAsync<HarnessException>(() => silent.ReadyAsync(Ready(), TimeSpan.FromMilliseconds(200)));
        Assert.Equal("sh: the process was not ready within 0.2 s (exit code 137)", failure.Message);
        Assert.Throws<ArgumentException>(() => Process.GetProcessById(silent.Id));
    }

    [Fact]
    public async Task ReadyAsync_reports_exit_code_and_last_stderr_lines_after_exit()
    {
        HarnessException failure = await Assert.ThrowsAsync<HarnessException>(() => Shell("seq 1 25 >&2; exit 3").ReadyAsync(Ready()));
        Assert.Equal(3, failure.ExitCode);
        string[] lines = failure.Message.Split("\n  ");
        Assert.Equal("sh: the process exited before it was ready (exit code 3)", lines[0]);
        Assert.Equal(Enumerable.Range(6, 20).Select(number => $"{number}"), lines[1..]);
    }

    [Fact]
    public async Task ReadyAsync_reports_stdout_when_stderr_is_empty()
    {
        HarnessException failure = await Assert.ThrowsAsync<HarnessException>(() => Shell("echo port taken; exit 1").ReadyAsync(Ready()));
        Assert.EndsWith("(exit code 1)\n  port taken", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Output_before_ready_is_kept_and_later_output_is_drained()
    {
        // The output exceeds a pipe's capacity.
        await using ChildProcess child = Shell("echo first; echo ready 7; seq 1 100000; echo done >&2; exec sleep 60");
        Match ready = await child.ReadyAsync(Ready());
        Assert.Equal("7", ready.Groups[1].Value);
        Assert.Equal(["first", "ready 7"], child.OutputLines);
        Assert.True(SpinWait.SpinUntil(() => child.Log == "done\n", ChildProcess.Patience));
    }

    [Fact]
    public async Task StopAsync_returns_exit_code_of_program_that_handles_SIGTERM()
    {
        await using ChildProcess child = Shell("trap 'echo goodbye >&2; exit 7' TERM; echo ready 1; while :; do sleep 0.02; done");
        await child.ReadyAsync(Ready());
        Assert.Equal(7, await child.StopAsync());
        Assert.Equal("goodbye\n", await child.WholeLogAsync());
    }

    [Fact]
    public async Task StopAsync_kills_program_that_ignores_SIGTERM_after_grace_period()
    {
        ProgramCommand command = Sh("trap '' TERM; echo ready 1; while :; do sleep 0.02; done") with { Grace = TimeSpan.FromMilliseconds(200) };
        await using var child = ChildProcess.Start(command);
        await child.ReadyAsync(Ready());
        long begun = Stopwatch.GetTimestamp();
        Assert.Equal(128 + Signals.Kill, await child.StopAsync());
        Assert.InRange(Stopwatch.GetElapsedTime(begun), TimeSpan.FromMilliseconds(200), ChildProcess.Patience);
    }

    [Fact]
    public async Task Dispose_kills_program_and_its_children()
    {
        ChildProcess child = Shell("sleep 60 & echo ready $!; wait");
        int grandchild = int.Parse((await child.ReadyAsync(Ready())).Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture);
        child.Dispose();
        child.Dispose();
        await child.DisposeAsync();
        Assert.Throws<ArgumentException>(() => Process.GetProcessById(child.Id));
        string line = $"/proc/{grandchild}/cmdline";
        Assert.True(SpinWait.SpinUntil(() => !File.Exists(line) || File.ReadAllText(line).Length == 0, ChildProcess.Patience));
    }

    [Fact]
    public async Task Paused_program_makes_no_progress_until_resumed()
    {
        await using ChildProcess child = ChildProcess.Start(new ProgramCommand("cat", "cat"));
        child.Pause();
        await child.Input.WriteLineAsync("ready 1");
        await child.Input.FlushAsync();
        Task<Match> ready = child.ReadyAsync(Ready());
        await Task.Delay(100);
        Assert.False(ready.IsCompleted);
        child.Resume();
        await ready;
    }

    [Fact]
    public async Task Program_runs_in_given_folder_with_changed_environment_variables()
    {
        ProgramCommand command = Sh("echo \"ready $(pwd) $GIVEN ${HOME-none}\"") with
        {
            Folder = "/",
            Environment = new Dictionary<string, string?> { ["GIVEN"] = "given", ["HOME"] = null },
        };
        await using var child = ChildProcess.Start(command);
        Assert.Equal("/ given none", (await child.ReadyAsync(Ready())).Groups[1].Value);
    }

    [Fact]
    public async Task Running_program_reports_resident_memory_and_CPU_time()
    {
        await using ChildProcess child = Shell("i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; echo ready 1; read never");
        await child.ReadyAsync(Ready());
        Assert.InRange(child.ResidentBytes, 100_000, 1_000_000_000);
        Assert.InRange(child.CpuTime, TimeSpan.FromMilliseconds(1), ChildProcess.Patience);
    }

    private static ProgramCommand Sh(string script) => new("sh", "sh", "-c", script);

    private static ChildProcess Shell(string script) => ChildProcess.Start(Sh(script));

    [GeneratedRegex("^ready (.*)$")]
    private static partial Regex Ready();
}
