using Larder.Harness.Processes;

namespace Larder.Server.Tests.Faults;

public sealed class StockClientFaultTests
{
    private const string Program = "lab/stock/stock.py";

    [Fact]
    public async Task N11_the_stock_clients_of_python_and_node_and_one_to_the_letter_of_http2_get_every_answer_whole()
    {
        ProgramRun run = await OutsideProgram.RunAsync(Program, "--only", "grpcio,grpc-js,python3-h2", "--calls", "500", "--counts-only");
        Assert.True(run.ExitCode == 0, run.Said);
        Assert.DoesNotContain("skipped", run.Said, StringComparison.Ordinal);
    }

    [LongFact]
    public async Task N11_no_stock_client_is_taken_for_a_flood()
    {
        ProgramRun run = await OutsideProgram.RunAsync(Program, "--calls", "5000");
        Assert.True(run.ExitCode == 0, run.Said);
    }
}
