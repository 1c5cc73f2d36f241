using Larder.Harness.Processes;

namespace Larder.Server.Tests.Faults;

public sealed class AttackersFaultTests
{
    [LongFact]
    public async Task N1_N2_S7_all_attackers_at_once_leave_memory_within_its_bound_and_the_neighbours_unharmed()
    {
        ProgramRun run = await OutsideProgram.RunAsync("lab/attackers-http2/attackers.py", "--minutes", "1");
        Assert.True(run.ExitCode == 0, run.Said);
    }
}
