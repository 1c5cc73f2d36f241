using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Harness.Processes;

namespace Larder.Harness.Servers;

/// <summary>A Redis Cluster, or one server of Redis, and a front before it, as <c>./larder fleet</c> starts them on this machine; they end with it.</summary>
public sealed partial class FleetProcess : ChildProcess
{
    private FleetProcess(ProgramCommand command)
        : base(command)
    {
    }

    /// <summary>The front.</summary>
    public FleetMember Front { get; private set; } = null!;

    /// <summary>The servers behind it.</summary>
    public IReadOnlyList<FleetMember> Nodes { get; private set; } = [];

    /// <summary>What a server's <c>--store</c> is told.</summary>
    public string Store => $"redis://{string.Join(',', Nodes.Select(node => node.Address))}";

    /// <summary>Starts it, and waits until the front answers: so many masters, without replicas, so that nothing but the data's own path is in use.</summary>
    /// <exception cref="HarnessException">Something that it needs is missing, or ended at once.</exception>
    public static async Task<FleetProcess> StartAsync(int masters = 3)
    {
        string[] size = ["--masters", $"{masters}", "--replicas", "0", "--fronts", "1"];
        string[] words = ["-B", Checkout.At("tools/fleet.d"), .. size, "--server", Checkout.Server];
        var fleet = new FleetProcess(new ProgramCommand("the fleet", Checkout.At("tools/python"), words) { Grace = TimeSpan.FromSeconds(10) });
        await fleet.ReadyAsync(Ready(), TimeSpan.FromMinutes(3)).ConfigureAwait(false);
        ILookup<bool, FleetMember> members = fleet.Said.Select(line => MemberLine().Match(line)).Where(line => line.Success).Select(Read)
            .ToLookup(member => member.Console is not null);
        fleet.Front = members[true].Single();
        fleet.Nodes = [.. members[false]];
        return fleet;
    }

    private static FleetMember Read(Match line) => new(
        line.Groups["where"].Value,
        line.Groups["console"] is { Success: true } console ? new Uri(console.Value) : null,
        int.Parse(line.Groups["pid"].ValueSpan, CultureInfo.InvariantCulture));

    [GeneratedRegex(@"^(front|master|server) +(?<where>\S+) +(console (?<console>\S+)|slots .*?|no cluster) +pid (?<pid>\d+)")]
    private static partial Regex MemberLine();

    [GeneratedRegex(@"^Ctrl\+C")]
    private static partial Regex Ready();
}
