using Larder.Harness.Processes;

namespace Larder.Server.Tests.Faults;

public sealed class AttackersFaultTests
{
    [LongFact]
    public async Task N1_N2_S7_concurrent_attackers_leave_memory_bounded_and_other_clients_unaffected()
    {
        ProgramRun run = await PythonProgram.RunAsync("lab/attackers-http2/attackers.py", "--minutes", "1");
        Assert.True(run.ExitCode == 0, run.Log);
    }
}
