using System.Diagnostics;
using System.Text.RegularExpressions;
using Larder.Harness.Processes;

namespace Larder.Harness.Tests.Processes;

public sealed partial class ChildProcessTests
{
    [Fact]
    public void A_program_that_is_not_there_is_named_with_what_wants_it()
    {
        HarnessException missing = Assert.Throws<HarnessException>(() => ChildProcess.Start(new ProgramCommand("the oven", "no-such-program")));
        Assert.StartsWith("the oven: cannot start no-such-program", missing.Message, StringComparison.Ordinal);
        Assert.Null(missing.ExitCode);
    }

    [Fact]
    public async Task A_program_that_says_nothing_is_given_up_and_gone_when_the_patience_is_over()
    {
        ChildProcess silent = Shell("exec sleep 60");
        HarnessException failure = await Assert.ThrowsAsync<HarnessException>(() => silent.ReadyAsync(Ready(), TimeSpan.FromMilliseconds(200)));
        Assert.Equal("sh: it was not ready within 0.2 s (exit code 137)", failure.Message);
        Assert.Throws<ArgumentException>(() => Process.GetProcessById(silent.Id));
    }

    [Fact]
    public async Task A_program_that_ends_at_once_fails_with_its_exit_code_and_its_last_words()
    {
        HarnessException failure = await Assert.ThrowsAsync<HarnessException>(() => Shell("seq 1 25 >&2; exit 3").ReadyAsync(Ready()));
        Assert.Equal(3, failure.ExitCode);
        string[] lines = failure.Message.Split("\n  ");
        Assert.Equal("sh: it ended before it was ready (exit code 3)", lines[0]);
        Assert.Equal(Enumerable.Range(6, 20).Select(number => $"{number}"), lines[1..]);
    }

    [Fact]
    public async Task Where_stderr_is_empty_what_it_said_is_told()
    {
        HarnessException failure = await Assert.ThrowsAsync<HarnessException>(() => Shell("echo port taken; exit 1").ReadyAsync(Ready()));
        Assert.EndsWith("(exit code 1)\n  port taken", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_it_said_until_it_was_ready_is_kept_and_the_rest_is_taken_off_the_pipe()
    {
        // The output exceeds a pipe's capacity.
        await using ChildProcess child = Shell("echo first; echo ready 7; seq 1 100000; echo done >&2; exec sleep 60");
        Match ready = await child.ReadyAsync(Ready());
        Assert.Equal("7", ready.Groups[1].Value);
        Assert.Equal(["first", "ready 7"], child.Said);
        Assert.True(SpinWait.SpinUntil(() => child.Log == "done\n", ChildProcess.Patience));
    }

    [Fact]
    public async Task A_program_that_is_asked_to_end_ends_with_its_own_exit_code()
    {
        await using ChildProcess child = Shell("trap 'echo goodbye >&2; exit 7' TERM; echo ready 1; while :; do sleep 0.02; done");
        await child.ReadyAsync(Ready());
        Assert.Equal(7, await child.StopAsync());
        Assert.Equal("goodbye\n", await child.WholeLogAsync());
    }

    [Fact]
    public async Task A_program_that_ignores_sigterm_is_killed_after_its_grace()
    {
        ProgramCommand command = Sh("trap '' TERM; echo ready 1; while :; do sleep 0.02; done") with { Grace = TimeSpan.FromMilliseconds(200) };
        await using var child = ChildProcess.Start(command);
        await child.ReadyAsync(Ready());
        long begun = Stopwatch.GetTimestamp();
        Assert.Equal(128 + Signals.Kill, await child.StopAsync());
        Assert.InRange(Stopwatch.GetElapsedTime(begun), TimeSpan.FromMilliseconds(200), ChildProcess.Patience);
    }

    [Fact]
    public async Task A_program_that_is_disposed_of_is_gone_with_what_it_has_started()
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
    public async Task A_paused_program_stands_still_until_it_is_resumed()
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
    public async Task A_program_has_its_folder_its_variables_and_not_those_taken_away()
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
    public async Task What_it_takes_of_memory_and_time_is_known_while_it_runs()
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
