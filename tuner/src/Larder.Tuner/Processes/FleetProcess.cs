using System.Globalization;
using System.Text.RegularExpressions;

namespace Larder.Tuner.Processes;

/// <summary>A Redis Cluster and one front before it, as <c>./larder fleet</c> starts them on this machine; they end with it.</summary>
internal sealed partial class FleetProcess : IAsyncDisposable
{
    /// <summary>The name that <c>--store</c> takes.</summary>
    public const string Store = "redis-cluster";

    /// <summary>Masters, without replicas: nothing but the data's own path is measured.</summary>
    private const int Masters = 3;

    private readonly ChildProcess _process;
    private readonly StatsPage _stats;
    private readonly Task _draining;

    private FleetProcess(ChildProcess process, Match front, IReadOnlyList<Match> masters)
    {
        _process = process;
        _stats = new StatsPage(new Uri(new Uri(front.Groups["console"].Value), "/stats"));
        _draining = process.Output.BaseStream.CopyToAsync(Stream.Null);
        int[] nodes = [.. masters.Select(PidOf)];
        Front = new Member(new Uri(front.Groups["where"].Value).Authority, PidOf(front), nodes, _stats);
        Cluster = new Member(string.Join(',', masters.Select(master => master.Groups["where"].Value)), null, nodes, null);
    }

    /// <summary>The front, with the cluster behind it.</summary>
    public IBackend Front { get; }

    /// <summary>The cluster itself: its endpoint is those of all masters, with commas between them.</summary>
    public IBackend Cluster { get; }

    /// <summary>Starts it, and waits until the front answers.</summary>
    /// <exception cref="TunerException">Something that it needs is missing, or ended at once.</exception>
    public static async Task<FleetProcess> StartAsync()
    {
        string tools = Path.Combine(Programs.Root, "tools");
        string[] size = ["--masters", Masters.ToString(CultureInfo.InvariantCulture), "--replicas", "0", "--fronts", "1"];
        string[] words = ["-B", Path.Combine(tools, "fleet.d"), .. size, "--server", Programs.Server];
        var process = ChildProcess.Start("the fleet", Path.Combine(tools, "python"), words);
        List<Match> members = [];
        while (await process.Output.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            if (MemberLine().Match(line) is { Success: true } member)
            {
                members.Add(member);
            }
            else if (line.StartsWith("Ctrl+C", StringComparison.Ordinal))
            {
                return new FleetProcess(process, members.Single(IsFront), [.. members.Where(member => !IsFront(member))]);
            }
        }

        TunerException failure = await process.FailureAsync("it ended before it was there").ConfigureAwait(false);
        await process.DisposeAsync().ConfigureAwait(false);
        throw failure;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _process.StopAsync().ConfigureAwait(false);
        await _draining.ConfigureAwait(false);
        await _process.DisposeAsync().ConfigureAwait(false);
        _stats.Dispose();
    }

    private static bool IsFront(Match member) => member.Groups["kind"].ValueSpan is "front";

    private static int PidOf(Match member) => int.Parse(member.Groups["pid"].ValueSpan, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^(?<kind>front|master) +(?<where>\S+) +(console (?<console>\S+)|slots .*?) +pid (?<pid>\d+)")]
    private static partial Regex MemberLine();

    /// <summary>What clients are driven against; it ends with the fleet.</summary>
    private sealed class Member(string endpoint, int? processId, IReadOnlyList<int> storeProcesses, StatsPage? stats) : IBackend
    {
        public string Endpoint => endpoint;

        public int? ProcessId => processId;

        public IReadOnlyList<int> StoreProcesses => storeProcesses;

        public Task<ServerStats?> StatsAsync() => stats?.ReadAsync() ?? Task.FromResult<ServerStats?>(null);

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
