using Larder.Agent;
using Larder.Harness.Processes;
using Larder.Lab.Cost;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Cost;

public sealed class CostTests
{
    [Theory]
    [InlineData(0.1, 0.1, true)]
    [InlineData(0.101, 0.1, false)]
    [InlineData(0.01, 0.101, false)]
    [InlineData(1, 1, false)]
    public void Row_fails_if_meter_or_generator_cost_exceeds_10_percent(double meterShare, double generatorShare, bool holds)
    {
        // Client and server use 1.1 processors, including the generator. The share of the generator is relative to client and server without it.
        double generator = 1.1 * generatorShare / (1 + generatorShare);
        CostRow row = Row([Round(meter: 1.1 * meterShare)], generator: generator);
        Assert.Equal(meterShare, row.MeterShare!.Value, 9);
        Assert.Equal(generatorShare, row.GeneratorShare!.Value, 9);
        Assert.Equal(holds, row.Holds);
    }

    [Fact]
    public void Unmeasured_cost_is_unknown_and_passes()
    {
        CostRow row = Row([Round() with { Stalls = null, ServerCpu = null }], generator: null);
        Assert.True(row.Holds);
        Assert.Equal(["–", "–", "–", "–", "pass"], row.Cells(before: false).TakeLast(5));
    }

    [Fact]
    public void Tail_latency_cell_shows_median_of_passes_and_warning_marks()
    {
        CostRow row = Row(
            [Round(us: 4_000), Round(us: 1_000), Round(us: 2_000)],
            [Round(us: 9_000, samples: 9_999), Round(us: 7_000, samples: 0) with { Unstarted = 1 }]);
        IReadOnlyList<string> cells = row.Cells(before: true);
        Assert.Equal("2.00 ms (1.00 ms–4.00 ms)", cells[5]);
        Assert.EndsWith("* †", cells[4], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Table_omits_other_checkout_if_it_was_not_measured(bool before)
    {
        CostRow row = Row([Round()], before ? [Round()] : []);
        Assert.Equal(CostRow.Headers(before).Count, row.Cells(before).Count);
        string text = CostReport.Of(ThisMachine.Fingerprint(), "./larder lab cost", before ? "0123456789ab" : null, [row], ["node, unary: it failed"]);
        Assert.Equal(before, text.Contains("p99.9 before", StringComparison.Ordinal));
        Assert.Equal(before, text.Contains("- before: the checkout 0123456789ab", StringComparison.Ordinal));
        Assert.EndsWith("- not measured: node, unary: it failed\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_rejects_invalid_and_unbuilt_checkout()
    {
        Assert.Throws<FormatException>(() => OtherCheckout.Open(Path.GetTempPath()));
        Assert.Throws<FormatException>(() => OtherCheckout.Open(Programs.Root));
        Assert.Throws<FormatException>(() => OtherCheckout.Open(Programs.Root + "/"));
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-checkout-");
        try
        {
            File.WriteAllText(Path.Combine(folder.FullName, "Larder.slnx"), "");
            Assert.Contains("is not built", Assert.Throws<TunerException>(() => OtherCheckout.Open(folder.FullName)).Message, StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void ProgramCommand_In_returns_same_program_in_another_checkout()
    {
        ProgramCommand there = Agents.OfClient("python").In("/elsewhere");
        Assert.Equal(("/elsewhere/tools/python", "/elsewhere/clients/python"), (there.Program, there.Folder));
        Assert.Equal(["-m", "agent"], there.Arguments);
        there = Agents.OfClient("dotnet").In("/elsewhere");
        Assert.Equal("dotnet", there.Program);
        Assert.StartsWith("/elsewhere/clients/dotnet/agent/", there.Arguments[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    public async Task Measurement_has_row_for_each_share_of_best_rate(string client)
    {
        var options = new CostOptions { Clients = [client], Transports = ["unary"], Rungs = [1, 2], Passes = 1, Seconds = 0.1 };
        Assert.Equal(2 + (3 * 2), options.Rounds);
        var measurement = new CostMeasurement(options, TextWriter.Null, TimeProvider.System);
        await measurement.RunAsync();
        Assert.Empty(measurement.Failures);
        Assert.Equal([0.5, 0.7, 0.85], measurement.Rows.Select(row => row.Share));
        Assert.All(measurement.Rows, row => Assert.True(row is { After.Count: 1, Before.Count: 0, Generator: not null, RatePerSecond: > 0 }));
    }

    private static CostRow Row(IReadOnlyList<Round> after, IReadOnlyList<Round>? before = null, double? generator = 0.01) =>
        new("node", "unary", 0.5, 1_000, after, before ?? [], generator);

    private static Round Round(double us = 1_000, int samples = 10_000, double meter = 0.01)
    {
        var histogram = new LoadHistogram();
        for (int i = 0; i < samples; i++)
        {
            histogram.Record((long)(us * 1_000));
        }

        return new Round
        {
            RequestsPerSecond = 1_000,
            Histogram = histogram,
            Hits = 0,
            Misses = 0,
            Errors = new Dictionary<string, long>(),
            ClientCpu = 0.8,
            ServerCpu = 0.3,
            Stalls = new MachineStalls { Seconds = 2, Over5Ms = 0, WorstUs = 1, P999Us = 1, MeterCpuSeconds = meter * 2 },
        };
    }
}
