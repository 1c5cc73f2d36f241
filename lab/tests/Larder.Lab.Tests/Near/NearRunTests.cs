using Larder.Lab.Near;
using Xunit.Abstractions;

namespace Larder.Lab.Tests.Near;

/// <summary>A short version of the randomized <c>larder lab near run</c> with real servers and clients in three languages.</summary>
public sealed class NearRunTests(ITestOutputHelper output)
{
    private const int Enough = 200_000;

    private static readonly NearRunOptions s_short = new() { Time = TimeSpan.FromSeconds(18), After = TimeSpan.FromSeconds(4), Keys = 2_000, Callers = 8 };

    // A run without faults. It is so long that a copy that is never invalidated outlives its lease.
    private static readonly NearRunOptions s_whole = s_short with
    {
        Time = TimeSpan.FromSeconds(7),
        After = TimeSpan.FromSeconds(2),
        BetweenResets = TimeSpan.FromMinutes(10),
    };

    [Fact]
    public async Task Reads_stay_consistent_while_network_is_cut()
    {
        await using NearMemory server = await NearMemory.StartAsync();
        NearRunOptions options = s_short with
        {
            Faults =
            [
                new(TimeSpan.FromSeconds(3), NearFaultKind.CutReaders, TimeSpan.FromSeconds(6)),
                new(TimeSpan.FromSeconds(10), NearFaultKind.Sweep),
            ],
        };

        NearRunResult result = await RunAsync(options, server);

        Assert.True(result.Passed, string.Join('\n', result.Lines()));
        Assert.True(result.Reads > Enough, string.Join('\n', result.Lines()));
        Assert.All(result.Cuts, static cut => Assert.True(cut.HitsInLease > 0));
        Assert.True(result.Findings.LongestStaleMs > 1_000, "the cut was felt: old versions were served until the lease ended");
        Assert.All(result.Rows, static row => Assert.True(row.Figures.Invalidations > 0, row.Name));
    }

    [Fact]
    public async Task Run_detects_readers_that_miss_invalidations()
    {
        await using InvalidationLossServer servers = await InvalidationLossServer.StartAsync();

        NearRunResult result = await RunAsync(s_whole, servers);

        Assert.True(servers.Proxy.Swallowed > 0);
        Assert.False(result.Passed);
        Assert.True(result.Findings.Violations.GetValueOrDefault(NearViolation.PastLease) > 0, string.Join('\n', result.Lines()));
        Assert.True(result.Findings.LongestStaleMs > 3_000);
    }

    [Fact]
    public async Task Run_reports_violations_in_all_processes_if_servers_are_inconsistent()
    {
        await using IndependentServers servers = await IndependentServers.StartAsync();

        NearRunResult result = await RunAsync(s_whole, servers);

        Assert.False(result.Passed);
        Assert.All(result.Rows, static row => Assert.True(row.Answer.Violations > 0, row.Name));
    }

    private async Task<NearRunResult> RunAsync(NearRunOptions options, INearServers servers)
    {
        NearRunResult result = await new NearRun(options, servers, output.WriteLine).RunAsync();
        output.WriteLine(string.Join('\n', result.Lines()));
        return result;
    }
}
