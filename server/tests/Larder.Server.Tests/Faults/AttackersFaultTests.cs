namespace Larder.Server.Tests.Faults;

public sealed class AttackersFaultTests
{
    [LongFact]
    public async Task N1_N2_S7_all_attackers_at_once_leave_memory_within_its_bound_and_the_neighbours_unharmed()
    {
        (int exitCode, string output) = await OutsideProgram.RunAsync("server/bench/attackers/attackers.py", "--minutes", "1");
        Assert.True(exitCode == 0, output);
    }
}
