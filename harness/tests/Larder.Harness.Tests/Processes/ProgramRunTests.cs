using System.Text;
using Larder.Harness.Processes;

namespace Larder.Harness.Tests.Processes;

public sealed class ProgramRunTests
{
    [Fact]
    public async Task ProgramRun_passes_input_and_captures_exit_code_output_and_errors()
    {
        ProgramRun run = await ProgramRun.OfAsync(Sh("cat; echo oops >&2; exit 4"), Encoding.UTF8.GetBytes("péage"));
        Assert.Equal((4, "péage", "oops\n", "péageoops\n"), (run.ExitCode, run.Output, run.Errors, run.Log));
        HarnessException failed = Assert.Throws<HarnessException>(() => run.Require("sh"));
        Assert.Equal("sh failed with exit code 4: péageoops\n", failed.Message);
        Assert.Equal(4, failed.ExitCode);
    }

    [Fact]
    public async Task ProgramRun_completes_when_program_does_not_read_its_input() =>
        Assert.Equal(0, (await ProgramRun.OfAsync(Sh("exit 0"), new byte[1_000_000])).ExitCode);

    [Fact]
    public async Task ProgramRun_fails_when_program_does_not_end_in_time()
    {
        ProgramCommand command = Sh("exec sleep 60") with { Grace = TimeSpan.FromMilliseconds(10) };
        HarnessException failed = await Assert.ThrowsAsync<HarnessException>(() => ProgramRun.OfAsync(command, patience: TimeSpan.FromMilliseconds(100)));
        Assert.Equal("sh: the process did not exit in time (still running)", failed.Message);
    }

    [Fact]
    public void ProgramRun_Of_blocks_until_program_ends() => Assert.Equal("1\n", ProgramRun.Of(Sh("echo 1")).Require("sh"));

    private static ProgramCommand Sh(string script) => new("sh", "sh", "-c", script);
}
