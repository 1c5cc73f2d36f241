using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Harness.Processes;
using Larder.Harness.Redis;

namespace Larder.Harness.Servers;

/// <summary>A Redis Cluster or a single Redis server with a gateway in front of it, as started by <c>./larder fleet</c> on this machine.</summary>
public sealed partial class FleetProcess : ChildProcess
{
    private FleetProcess(ProgramCommand command)
        : base(command)
    {
    }

    /// <summary>Gets the gateway.</summary>
    public FleetMember Gateway { get; private set; } = null!;

    /// <summary>Gets the Redis servers behind the gateway.</summary>
    public IReadOnlyList<FleetMember> Nodes { get; private set; } = [];

    /// <summary>Gets the value for a server's <c>--store</c> option.</summary>
    public string Store => $"redis://{string.Join(',', Nodes.Select(node => node.Address))}";

    /// <summary>Gets the value for a server's <c>--store</c> option after <see cref="AddGatewayUserAsync"/>.</summary>
    public string RestrictedStore => Store.Replace("://", $"://{GatewayUser.Login}", StringComparison.Ordinal);

    /// <summary>Creates a user with exactly the permissions that a gateway needs, on each Redis server.</summary>
    /// <exception cref="HarnessException">A server rejects the user.</exception>
    public Task AddGatewayUserAsync() => Task.WhenAll(
        Nodes.Select(static node => GatewayUser.CreateAsync(int.Parse(node.Address.AsSpan(node.Address.LastIndexOf(':') + 1), CultureInfo.InvariantCulture))));

    /// <summary>
    /// Starts the fleet and waits until the gateway answers. The cluster has no replicas, so that only the processes of the data path use the processor.
    /// </summary>
    /// <exception cref="HarnessException">A required program is missing or ended immediately.</exception>
    public static async Task<FleetProcess> StartAsync(int masters = 3)
    {
        string[] size = ["--masters", $"{masters}", "--replicas", "0", "--gateways", "1"];
        string[] words = ["-B", Checkout.At("tools/fleet.d"), .. size, "--server", Checkout.Server];
        var fleet = new FleetProcess(new ProgramCommand("fleet", Checkout.At("tools/python"), words) { Grace = TimeSpan.FromSeconds(10) });
        await fleet.ReadyAsync(Ready(), TimeSpan.FromMinutes(3)).ConfigureAwait(false);
        ILookup<bool, FleetMember> members = fleet.OutputLines.Select(line => MemberLine().Match(line)).Where(line => line.Success).Select(Read)
            .ToLookup(member => member.Console is not null);
        fleet.Gateway = members[true].Single();
        fleet.Nodes = [.. members[false]];
        return fleet;
    }

    private static FleetMember Read(Match line) => new(
        line.Groups["where"].Value,
        line.Groups["console"] is { Success: true } console ? new Uri(console.Value) : null,
        int.Parse(line.Groups["pid"].ValueSpan, CultureInfo.InvariantCulture));

    [GeneratedRegex(@"^(gateway|master|server) +(?<where>\S+) +(console (?<console>\S+)|slots .*?|no cluster) +pid (?<pid>\d+)")]
    private static partial Regex MemberLine();

    [GeneratedRegex(@"^Press Ctrl\+C")]
    private static partial Regex Ready();
}
