using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tests.Machine;

public sealed class MachineTests
{
    [Fact]
    public void Machine_CPU_line_is_parsed_without_interrupts() =>
        Assert.Equal((9.0, 0.5), ProcStat.Machine("cpu  500 100 300 420534 768 7 39 50 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"));

    [Fact]
    public void Process_name_with_spaces_and_brackets_is_parsed() =>
        Assert.Equal(3.5, ProcStat.Process("42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 200 150 0 0 20 0 1 0 100 0 0"));

    [Fact]
    public void OthersSince_excludes_CPU_time_of_own_processes()
    {
        var before = new CpuReading(10, 1, new Dictionary<int, double> { [7] = 2, [8] = 1 });
        var after = new CpuReading(14, 1.5, new Dictionary<int, double> { [7] = 4, [8] = 2 });
        Assert.Equal(1.5, after.OthersSince(before));
        Assert.Equal(2, after.Since(before, 7));
        Assert.Null(after.Since(before, null));
    }

    [Fact]
    public void ServerStats_Since_returns_latency_of_the_interval()
    {
        var before = ServerStats.Parse(
            """{"cpuSeconds":1.5,"residentBytes":10,"connections":2,"streams":0,"rpcs":[{"rpc":"Get","transport":"unary","buckets":[[16,5],[32,1]]}]}""");
        var after = ServerStats.Parse(
            """
            {"cpuSeconds":2.5,"residentBytes":10,"connections":2,"streams":0,
             "rpcs":[{"rpc":"Get","transport":"unary","buckets":[[16,104],[32,2]]},{"rpc":"Set","transport":"unary","buckets":[[64,1]]}]}
            """);
        Assert.Equal(new ServerLatency(101, 16, 32, 64), after.Since(before));
    }

    [Fact]
    public void ServerStats_without_calls_have_no_latency()
    {
        var stats = ServerStats.Parse(
            """{"cpuSeconds":1.5,"residentBytes":10,"connections":2,"streams":0,"rpcs":[{"rpc":"Get","transport":"unary","buckets":[[16,5]]}]}""");
        Assert.Null(stats.Since(stats));
    }
}
