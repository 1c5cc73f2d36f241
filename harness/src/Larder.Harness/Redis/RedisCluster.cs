using System.Diagnostics;
using System.Globalization;
using System.Net;
using Larder.Harness.Processes;

namespace Larder.Harness.Redis;

/// <summary>A real cluster of three masters, and as many replicas as asked for.</summary>
public sealed class RedisCluster : IDisposable
{
    private const int Masters = 3;
    private const int Slots = 16_384;

    private readonly List<RedisServer> _servers = [];
    private readonly Func<RedisServer, int>? _busOf;

    /// <summary>Starts it; it serves all slots afterwards.</summary>
    /// <param name="replicas">Of the first masters, one each.</param>
    /// <param name="nodeTimeoutMs">After which a node is taken for dead by the others.</param>
    /// <param name="busOf">
    /// The port on which the others are to reach a node, its bus being 10,000 above its own: a proxy's. Each then comes from an address of its own,
    /// <see cref="AddressOf"/>. Null: the bus itself.
    /// </param>
    public RedisCluster(int replicas = 0, int nodeTimeoutMs = 4000, Func<RedisServer, int>? busOf = null)
    {
        _busOf = busOf;
        for (int number = 0; number < Masters + replicas; number++)
        {
            _servers.Add(new RedisServer(
                "--cluster-enabled", "yes", "--cluster-node-timeout", Text(nodeTimeoutMs), "--cluster-require-full-coverage", "no", "--maxmemory-policy",
                "volatile-lfu", "--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"));
        }

        Join(replicas);
    }

    /// <summary>The masters, then the replicas.</summary>
    public IReadOnlyList<RedisServer> Servers => _servers;

    /// <summary>What a server's <c>--store</c> is told.</summary>
    public string Url => $"redis://{string.Join(',', _servers.Select(static server => server.Endpoint))}";

    /// <summary>The master that has a key's slot at the start.</summary>
    public RedisServer Of(string key) => _servers[Math.Min(SlotOf(key) / (Slots / Masters), Masters - 1)];

    /// <summary>Where a node's connections to the others come from, where they go through proxies: 127.0.0.2 and up.</summary>
    public IPAddress AddressOf(RedisServer server) => IPAddress.Parse($"127.0.0.{_servers.IndexOf(server) + 2}");

    /// <summary>A key's slot, as the cluster itself says it.</summary>
    public int SlotOf(string key) => int.Parse(_servers[0].Ask("cluster", "keyslot", key), CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public void Dispose() => _servers.ForEach(static server => server.Dispose());

    private void Join(int replicas)
    {
        const int share = Slots / Masters;
        for (int number = 0; number < Masters; number++)
        {
            int last = number == Masters - 1 ? Slots - 1 : ((number + 1) * share) - 1;
            Demand(_servers[number], "cluster", "addslotsrange", Text(number * share), Text(last));
            _servers[number].Ask("cluster", "set-config-epoch", Text(number + 1));
        }

        foreach (RedisServer server in _busOf is null ? [] : _servers)
        {
            Demand(server, "config", "set", "cluster-announce-ip", "127.0.0.1");
            Demand(server, "config", "set", "cluster-announce-bus-port", Text(_busOf!(server)));
            Demand(server, "config", "set", "bind-source-addr", AddressOf(server).ToString());
            // Of the loopback's addresses it takes one alone for its own; it listens on no other network.
            Demand(server, "config", "set", "protected-mode", "no");
        }

        foreach (RedisServer server in _servers.Skip(1))
        {
            Demand(_servers[0], "cluster", "meet", "127.0.0.1", Text(server.Port), Text(_busOf is null ? server.BusPort : _busOf(server)));
        }

        Until(() => _servers.All(server => server.Ask("cluster", "nodes").Split('\n').Length == _servers.Count));
        for (int number = 0; number < replicas; number++)
        {
            string id = _servers[number].Ask("cluster", "myid");
            RedisServer replica = _servers[Masters + number];
            Until(() => replica.Ask("cluster", "replicate", id) == "OK");
            Until(() => replica.Ask("info", "replication").Contains("master_link_status:up", StringComparison.Ordinal));
        }

        Until(() => _servers.All(static server => server.Ask("cluster", "info").Contains("cluster_state:ok", StringComparison.Ordinal)));
        Until(() => _servers.All(server => server.Ask("cluster", "slots").Split('\n').Count(line => line.Trim() == "127.0.0.1") == Masters + replicas));
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static void Demand(RedisServer server, params string[] words)
    {
        string answer = server.Ask(words);
        if (answer != "OK")
        {
            throw new HarnessException($"redis-server {server.Port} answers {string.Join(' ', words)} with {answer}");
        }
    }

    private static void Until(Func<bool> isSo)
    {
        long begun = Stopwatch.GetTimestamp();
        while (!isSo())
        {
            if (Stopwatch.GetElapsedTime(begun) > ChildProcess.Patience)
            {
                throw new HarnessException("a cluster of Redis is not formed");
            }

            Thread.Sleep(20);
        }
    }
}
