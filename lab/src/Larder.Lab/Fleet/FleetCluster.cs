using System.Globalization;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Harness.Redis;
using Larder.Tuner.Processes;

namespace Larder.Lab.Fleet;

/// <summary>A Redis Cluster of three masters with replicas on this machine, or a single server without a cluster.</summary>
internal sealed class FleetCluster : IDisposable
{
    public const int Masters = 3;

    // The timeout of redis-cli --cluster. It is long, because slots are migrated one by one.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(10);

    private readonly List<RedisServer> _nodes = [];
    private readonly string[] _settings;

    private readonly int _replicas;

    private FleetCluster(int replicas, string[] settings)
    {
        _replicas = replicas;
        _settings = settings;
    }

    /// <summary>Gets all nodes, including those that were killed.</summary>
    public IReadOnlyList<RedisServer> Nodes => _nodes;

    /// <summary>Gets the value for a gateway's <c>--store</c> option.</summary>
    public string Url => $"redis://{string.Join(',', _nodes.Select(node => node.Endpoint))}";

    /// <summary>Starts a cluster and waits until it serves all slots and its replicas are synchronized.</summary>
    /// <param name="replicas">The number of replicas of each master.</param>
    /// <param name="settings">Settings in addition to the shipped configuration file.</param>
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

    /// <summary>Starts a single server without a cluster.</summary>
    public static FleetCluster StartAlone(params string[] settings)
    {
        var cluster = new FleetCluster(0, ["--cluster-enabled", "no", .. settings]);
        cluster.AddNode();
        return cluster;
    }

    /// <summary>Starts an additional node that is not part of a cluster yet.</summary>
    public RedisServer AddNode()
    {
        var node = RedisServer.WithFile(Checkout.At("server/redis.conf"), ["--repl-diskless-sync-delay", "0", .. _settings]);
        _nodes.Add(node);
        return node;
    }

    /// <summary>Returns the live masters that have slots, according to one of the nodes.</summary>
    public async Task<IReadOnlyList<RedisServer>> MastersAsync() =>
        [.. (await LinesAsync().ConfigureAwait(false)).Where(line => line.IsMaster && line.Slots.Length > 0).Select(line => NodeAt(line.Port))];

    /// <summary>Returns the master of a slot, according to one of the nodes.</summary>
    public async Task<RedisServer> MasterOfAsync(int slot) =>
        NodeAt((await LinesAsync().ConfigureAwait(false)).First(line => line.IsMaster && ClusterLine.Holds(line.Slots, slot)).Port);

    /// <summary>Returns the replicas of a node, according to one of the nodes.</summary>
    public async Task<IReadOnlyList<RedisServer>> ReplicasOfAsync(RedisServer master)
    {
        IReadOnlyList<ClusterLine> lines = await LinesAsync().ConfigureAwait(false);
        string? id = lines.FirstOrDefault(line => line.Port == master.Port)?.Id;
        return [.. lines.Where(line => line.MasterId == id && id is not null).Select(line => NodeAt(line.Port))];
    }

    /// <summary>Returns the id of a running node.</summary>
    public static async Task<string> IdOfAsync(RedisServer node) =>
        await node.AskAsync("CLUSTER", "MYID").ConfigureAwait(false) ?? throw new TunerException($"{node.Endpoint} does not respond");

    /// <summary>Returns the requested number of hash tags whose slots are among the first slots of a master.</summary>
    /// <param name="master">The master.</param>
    /// <param name="count">The number of tags.</param>
    /// <param name="slots">The number of the master's first slots that may be used. A reshard moves the first slots first.</param>
    public async Task<IReadOnlyList<string>> TagsOfAsync(RedisServer master, int count, int slots = KeySlot.Count)
    {
        string ranges = (await LinesAsync().ConfigureAwait(false)).First(line => line.Port == master.Port).Slots;
        HashSet<int> first = [.. Enumerable.Range(0, KeySlot.Count).Where(slot => ClusterLine.Holds(ranges, slot)).Take(slots)];
        return [.. Enumerable.Range(0, int.MaxValue).Select(number => $"t{number}").Where(tag => first.Contains(KeySlot.Of(tag))).Take(count)];
    }

    /// <summary>Stops a node that is no longer part of a cluster.</summary>
    public void DropNode(RedisServer node)
    {
        _nodes.Remove(node);
        node.Dispose();
    }

    /// <summary>Runs <c>redis-cli --cluster</c> and waits until the program ends.</summary>
    /// <exception cref="HarnessException">The program failed.</exception>
    public static async Task RunCliAsync(params string[] words)
    {
        var command = new ProgramCommand("redis-cli --cluster", "redis-cli", ["--cluster", .. words, "--cluster-yes"]);
        _ = (await ProgramRun.OfAsync(command, patience: s_patience).ConfigureAwait(false)).Require($"redis-cli --cluster {words[0]}");
    }

    /// <summary>
    /// Waits until every running node reports that all slots are served and that no node has failed, and until every replica is synchronized.
    /// </summary>
    public Task UntilHealthyAsync() => Wait.UntilAsync(IsHealthyAsync, "a healthy cluster");

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
        ClusterLine.Read(await QueryAnyNodeAsync("CLUSTER", "NODES").ConfigureAwait(false) ?? throw new TunerException("no node of the cluster responds"));

    private async Task<string?> QueryAnyNodeAsync(params string[] words)
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
