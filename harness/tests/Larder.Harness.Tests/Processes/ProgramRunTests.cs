using System.Text;
using Larder.Harness.Processes;

namespace Larder.Harness.Tests.Processes;

public sealed class ProgramRunTests
{
    [Fact]
    public async Task A_program_gets_its_input_and_its_exit_code_output_and_errors_are_kept()
    {
        ProgramRun run = await ProgramRun.OfAsync(Sh("cat; echo oops >&2; exit 4"), Encoding.UTF8.GetBytes("péage"));
        Assert.Equal((4, "péage", "oops\n", "péageoops\n"), (run.ExitCode, run.Output, run.Errors, run.Said));
        HarnessException failed = Assert.Throws<HarnessException>(() => run.Must("sh"));
        Assert.Equal("sh failed with exit code 4: péageoops\n", failed.Message);
        Assert.Equal(4, failed.ExitCode);
    }

    [Fact]
    public async Task A_program_that_reads_nothing_ends_all_the_same() =>
        Assert.Equal(0, (await ProgramRun.OfAsync(Sh("exit 0"), new byte[1_000_000])).ExitCode);

    [Fact]
    public async Task A_program_that_does_not_end_is_given_up()
    {
        ProgramCommand command = Sh("exec sleep 60") with { Grace = TimeSpan.FromMilliseconds(10) };
        HarnessException failed = await Assert.ThrowsAsync<HarnessException>(() => ProgramRun.OfAsync(command, patience: TimeSpan.FromMilliseconds(100)));
        Assert.Equal("sh: it does not end (still running)", failed.Message);
    }

    [Fact]
    public void A_thread_can_wait_for_it() => Assert.Equal("1\n", ProgramRun.Of(Sh("echo 1")).Must("sh"));

    private static ProgramCommand Sh(string script) => new("sh", "sh", "-c", script);
}
