using System.Globalization;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Harness.Redis;
using Larder.Tuner.Processes;

namespace Larder.Lab.Fleet;

/// <summary>A Redis Cluster of three masters on this machine, each with its replicas, or one server without a cluster.</summary>
internal sealed class FleetCluster : IDisposable
{
    public const int Masters = 3;

    // Slots move one by one.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(10);

    private readonly List<RedisServer> _nodes = [];
    private readonly string[] _settings;

    private readonly int _replicas;

    private FleetCluster(int replicas, string[] settings)
    {
        _replicas = replicas;
        _settings = settings;
    }

    /// <summary>All nodes, those that have been killed too.</summary>
    public IReadOnlyList<RedisServer> Nodes => _nodes;

    /// <summary>What a front's <c>--store</c> is told.</summary>
    public string Url => $"redis://{string.Join(',', _nodes.Select(node => node.Endpoint))}";

    /// <summary>Starts a cluster; it serves all slots, and its replicas are in step.</summary>
    /// <param name="replicas">Of each master.</param>
    /// <param name="settings">More than the settings that ship.</param>
    public static async Task<FleetCluster> StartAsync(int replicas, params string[] settings)
    {
        var cluster = new FleetCluster(Masters * replicas, settings);
        try
        {
            for (int node = 0; node < Masters * (1 + replicas); node++)
            {
                cluster.AddNode();
            }

            string[] create = ["create", .. cluster._nodes.Select(node => node.Endpoint), "--cluster-replicas", Text(replicas)];
            await RunCliAsync(create).ConfigureAwait(false);
            await cluster.UntilHealthyAsync().ConfigureAwait(false);
            return cluster;
        }
        catch
        {
            cluster.Dispose();
            throw;
        }
    }

    /// <summary>Starts one server without a cluster.</summary>
    public static FleetCluster StartAlone(params string[] settings)
    {
        var cluster = new FleetCluster(0, ["--cluster-enabled", "no", .. settings]);
        cluster.AddNode();
        return cluster;
    }

    /// <summary>Starts one more node, which is in no cluster yet.</summary>
    public RedisServer AddNode()
    {
        var node = RedisServer.WithFile(Checkout.At("server/redis.conf"), ["--repl-diskless-sync-delay", "0", .. _settings]);
        _nodes.Add(node);
        return node;
    }

    /// <summary>Those that some node takes for masters that live and have slots.</summary>
    public async Task<IReadOnlyList<RedisServer>> MastersAsync() =>
        [.. (await LinesAsync().ConfigureAwait(false)).Where(line => line.IsMaster && line.Slots.Length > 0).Select(line => NodeAt(line.Port))];

    /// <summary>The master of a slot, as some node sees it.</summary>
    public async Task<RedisServer> MasterOfAsync(int slot) =>
        NodeAt((await LinesAsync().ConfigureAwait(false)).First(line => line.IsMaster && ClusterLine.Holds(line.Slots, slot)).Port);

    /// <summary>The replicas of a node, as some other node sees them.</summary>
    public async Task<IReadOnlyList<RedisServer>> ReplicasOfAsync(RedisServer master)
    {
        IReadOnlyList<ClusterLine> lines = await LinesAsync().ConfigureAwait(false);
        string? id = lines.FirstOrDefault(line => line.Port == master.Port)?.Id;
        return [.. lines.Where(line => line.MasterId == id && id is not null).Select(line => NodeAt(line.Port))];
    }

    /// <summary>The id of a node that answers.</summary>
    public static async Task<string> IdOfAsync(RedisServer node) =>
        await node.AskAsync("CLUSTER", "MYID").ConfigureAwait(false) ?? throw new TunerException($"{node.Endpoint} does not answer");

    /// <summary>As many tags whose slots one master has, among its first slots.</summary>
    /// <param name="master">The master.</param>
    /// <param name="count">Tags.</param>
    /// <param name="slots">How many of its slots they are in; these are what a reshard moves first.</param>
    public async Task<IReadOnlyList<string>> TagsOfAsync(RedisServer master, int count, int slots = KeySlot.Count)
    {
        string ranges = (await LinesAsync().ConfigureAwait(false)).First(line => line.Port == master.Port).Slots;
        HashSet<int> first = [.. Enumerable.Range(0, KeySlot.Count).Where(slot => ClusterLine.Holds(ranges, slot)).Take(slots)];
        return [.. Enumerable.Range(0, int.MaxValue).Select(number => $"t{number}").Where(tag => first.Contains(KeySlot.Of(tag))).Take(count)];
    }

    /// <summary>Ends a node that is in no cluster any more.</summary>
    public void DropNode(RedisServer node)
    {
        _nodes.Remove(node);
        node.Dispose();
    }

    /// <summary>Runs <c>redis-cli --cluster</c> to its end.</summary>
    /// <exception cref="HarnessException">It failed.</exception>
    public static async Task RunCliAsync(params string[] words)
    {
        var command = new ProgramCommand("redis-cli --cluster", "redis-cli", ["--cluster", .. words, "--cluster-yes"]);
        _ = (await ProgramRun.OfAsync(command, patience: s_patience).ConfigureAwait(false)).Must($"redis-cli --cluster {words[0]}");
    }

    /// <summary>Waits until every node that answers agrees that all slots are served and that nothing has failed, and every replica is in step.</summary>
    public Task UntilHealthyAsync() => Wait.UntilAsync(IsHealthyAsync, "the cluster is whole");

    /// <inheritdoc/>
    public void Dispose() => _nodes.ForEach(static node => node.Dispose());

    private async Task<bool> IsHealthyAsync()
    {
        foreach (RedisServer node in _nodes)
        {
            string? info = await node.AskAsync("CLUSTER", "INFO").ConfigureAwait(false);
            string? replication = await node.AskAsync("INFO", "replication").ConfigureAwait(false);
            if (info is null || replication is null)
            {
                return false;
            }

            bool isWhole = info.Contains("cluster_state:ok", StringComparison.Ordinal)
                && info.Contains("cluster_slots_ok:16384", StringComparison.Ordinal)
                && info.Contains($"cluster_known_nodes:{_nodes.Count}", StringComparison.Ordinal);
            IReadOnlyList<ClusterLine> lines = ClusterLine.Read(await node.AskAsync("CLUSTER", "NODES").ConfigureAwait(false) ?? "");
            bool isInStep = lines.Count(line => line.MasterId != "-") == _replicas
                && !replication.Contains("master_link_status:down", StringComparison.Ordinal);
            if (!isWhole || !isInStep || lines.Any(line => line.IsFailing))
            {
                return false;
            }
        }

        return true;
    }

    private async Task<IReadOnlyList<ClusterLine>> LinesAsync() =>
        ClusterLine.Read(await AskAnyAsync("CLUSTER", "NODES").ConfigureAwait(false) ?? throw new TunerException("no node of the cluster answers"));

    private async Task<string?> AskAnyAsync(params string[] words)
    {
        foreach (RedisServer node in _nodes)
        {
            if (await node.AskAsync(words).ConfigureAwait(false) is { } answer)
            {
                return answer;
            }
        }

        return null;
    }

    private RedisServer NodeAt(int port) => _nodes.First(node => node.Port == port);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
