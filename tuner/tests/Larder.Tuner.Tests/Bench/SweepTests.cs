using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tests.Bench;

/// <summary>Tests a sweep with the real programs: server, agents and peers as separate processes.</summary>
public sealed class SweepTests
{
    [Fact]
    public async Task Sweep_measures_every_client_at_every_rung_and_stops_processes()
    {
        BenchOptions options = Options() with { Transports = ["unary"], Peers = ["grpc-dotnet"], Rungs = Rung.ParseAll("2,3@off", null) };
        var view = new CountingView();
        int server;
        await using (Field field = await Field.StartAsync(options))
        {
            server = field.Processes.First();
            IReadOnlyList<BenchRow> rows = await new Sweep(options, field.Contenders, view).RunAsync();
            Assert.Equal(["dotnet 2", "grpc-dotnet 2", "dotnet 3", "grpc-dotnet 3"], rows.Select(row => $"{row.Client} {row.InFlight}"));
            Assert.All(rows, row =>
            {
                // The kernel counts CPU time in ticks. Short bursts within half a second may therefore count as zero.
                Assert.True(row.Samples > 0 && row.P50Us > 0 && row.RequestsPerSecond > 0);
                Assert.Equal((0, 1.0), (row.Errors, row.HitRatio));
                Assert.True(row.Connections >= 1 && row.BytesPerCall > 0);
                // The value is unknown if the first reading of /stats arrived after the load had ended.
                Assert.True(row.ServerP50Us is null or > 0);
            });
            Assert.Equal(["grpc-dotnet"], field.PeerNames);
        }

        Assert.Equal(4, view.Rows);
        Assert.Throws<ArgumentException>(() => Process.GetProcessById(server));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task Sweep_measures_other_server_alternately_in_order_A_B_B_A()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-bench-");
        try
        {
            // An executable file with the command serve, like the native program.
            string program = Path.Combine(folder.FullName, "larder");
            await File.WriteAllTextAsync(program, $"#!/bin/sh\n[ \"$1\" = serve ] && shift && exec dotnet '{Checkout.Server}' \"$@\"\n");
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            BenchOptions options = Options() with { Transports = ["pipeline"], OtherServer = program, Rounds = 2, Rungs = Rung.ParseAll("3", null) };
            var view = new CountingView();
            await using Field field = await Field.StartAsync(options);
            IReadOnlyList<BenchRow> rows = await new Sweep(options, field.Contenders, view).RunAsync();
            Assert.Equal(["dotnet", "dotnet pipeline other server"], rows.Select(row => row.Client));
            Assert.All(rows, row => Assert.True(row.Samples > 0 && row.Errors == 0));
            Assert.Equal(["dotnet pipeline other server"], field.PeerNames);
            Assert.Equal(2, field.Processes.Count());

            // The two rounds of the other server follow each other, so the client changes twice. In the order A B A B, it would change three times.
            string[] clients = [.. view.Steps.Where(step => step.Contains("callers", StringComparison.Ordinal)).Select(step => step.Split(" · ")[0])];
            IEnumerable<string> changes = clients.Where((client, at) => at == 0 || client != clients[at - 1]);
            Assert.Equal(["dotnet pipeline", "dotnet pipeline other server pipeline", "dotnet pipeline"], changes);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [RedisFact]
    public async Task Sweep_starts_and_measures_Redis_as_peer()
    {
        BenchOptions options = Options() with { Clients = [], Peers = ["redis"], Rungs = Rung.ParseAll("4", null) };
        await using Field field = await Field.StartAsync(options);
        BenchRow row = Assert.Single(await new Sweep(options, field.Contenders, new CountingView()).RunAsync());
        Assert.Equal(("stackexchange-redis", 0, 1.0), (row.Client, row.Errors, row.HitRatio));
    }

    [RedisFact]
    public async Task Sweep_measures_gateway_and_cluster_client_and_stops_processes()
    {
        BenchOptions options = Options() with { IsFleet = true, Peers = ["stackexchange-redis-cluster"], Rungs = Rung.ParseAll("4", null) };
        int[] processes;
        await using (Field field = await Field.StartAsync(options))
        {
            processes = [.. field.Processes];
            IReadOnlyList<BenchRow> rows = await new Sweep(options, field.Contenders, new CountingView()).RunAsync();
            Assert.Equal(["dotnet", "stackexchange-redis-cluster"], rows.Select(row => row.Client));
            Assert.All(rows, row =>
            {
                Assert.Equal((0, 1.0), (row.Errors, row.HitRatio));
                Assert.True(row.StoreCpuUs is not null && row.StoreResidentBytes > 0);
            });
            Assert.True(rows[0].ServerCpu is not null && rows[0].ServerResidentBytes > 0 && rows[0].ServerBytesPerCall >= 0);
            Assert.Equal((null, 3), (rows[1].GatewayCpuUs, rows[1].Connections));
            Assert.Contains(BenchColumn.For(rows, field.PeerNames), column => column.Header == "× redis-cluster");
        }

        // The processes of a gateway and three masters.
        Assert.Equal(4, processes.Length);
        Assert.All(processes, process => Assert.Throws<ArgumentException>(() => Process.GetProcessById(process)));
    }

    [Fact]
    public async Task Sweep_error_names_the_unknown_client_or_peer()
    {
        Assert.Contains(
            "perl",
            (await Assert.ThrowsAsync<HarnessException>(() => Field.StartAsync(Options() with { Clients = ["perl"] }))).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "memcached",
            (await Assert.ThrowsAsync<TunerException>(() => Field.StartAsync(Options() with { Peers = ["memcached"] }))).Message,
            StringComparison.Ordinal);
    }

    private static BenchOptions Options() => new() { Rungs = [], Seconds = 0.5, WarmupSeconds = 0.2, RepeatDisturbed = false };

    private sealed class CountingView : IBenchView
    {
        public int Rows { get; private set; }

        public List<string> Steps { get; } = [];

        public void OnProgress(string step, JsonObject progress) => Steps.Add(step);

        public void OnRejected(string step, double othersCpu) => Assert.Fail("disturbed rounds were to be kept");

        public void OnRow(BenchRow row) => Rows++;

        public void OnInterrupted(IReadOnlyList<BenchRow> finished, IReadOnlyList<BenchRow> underWay) => Assert.Fail("nothing interrupts this sweep");
    }
}
