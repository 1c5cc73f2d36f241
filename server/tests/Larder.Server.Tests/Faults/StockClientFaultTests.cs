using Larder.Harness.Processes;

namespace Larder.Server.Tests.Faults;

public sealed class StockClientFaultTests
{
    private const string Program = "lab/stock/stock.py";

    [Fact]
    public async Task N11_stock_gRPC_and_HTTP2_clients_get_complete_responses()
    {
        ProgramRun run = await PythonProgram.RunAsync(Program, "--only", "grpcio,grpc-js,python3-h2", "--calls", "500", "--counts-only");
        Assert.True(run.ExitCode == 0, run.Log);
        Assert.DoesNotContain("skipped", run.Log, StringComparison.Ordinal);
    }

    [LongFact]
    public async Task N11_stock_clients_are_not_treated_as_a_flood()
    {
        ProgramRun run = await PythonProgram.RunAsync(Program, "--calls", "5000");
        Assert.True(run.ExitCode == 0, run.Log);
    }
}
