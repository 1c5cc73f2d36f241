using System.Diagnostics;
using System.Globalization;
using System.Net;
using Larder.Harness.Processes;

namespace Larder.Harness.Redis;

/// <summary>A real Redis Cluster with three masters and the requested number of replicas.</summary>
public sealed class RedisCluster : IDisposable
{
    private const int Masters = 3;
    private const int Slots = 16_384;

    private readonly List<RedisServer> _servers = [];
    private readonly Func<RedisServer, int>? _busOf;

    /// <summary>Starts the cluster and waits until it serves all slots.</summary>
    /// <param name="replicas">The number of replicas. Each replica has a different master, beginning with the first master.</param>
    /// <param name="nodeTimeoutMs">The time after which the other nodes consider a node dead, in ms.</param>
    /// <param name="busOf">
    /// Returns the port through which the other nodes reach a node's bus, for example the port of a proxy. The port of the bus itself is the node's port plus
    /// 10,000. Each node then connects from its own address, <see cref="AddressOf"/>. Null for direct connections.
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

    /// <summary>Gets the masters, followed by the replicas.</summary>
    public IReadOnlyList<RedisServer> Servers => _servers;

    /// <summary>Gets the value for a server's <c>--store</c> option.</summary>
    public string Url => $"redis://{string.Join(',', _servers.Select(static server => server.Endpoint))}";

    /// <summary>Returns the master that initially owns the slot of a key.</summary>
    public RedisServer Of(string key) => _servers[Math.Min(SlotOf(key) / (Slots / Masters), Masters - 1)];

    /// <summary>
    /// Returns the source address of a node's connections to the other nodes if these connections go through proxies. The addresses start at 127.0.0.2.
    /// </summary>
    public IPAddress AddressOf(RedisServer server) => IPAddress.Parse($"127.0.0.{_servers.IndexOf(server) + 2}");

    /// <summary>Returns the slot of a key, as computed by the cluster.</summary>
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
            // Protected mode would accept connections only from 127.0.0.1, not from other loopback addresses. It can be off, because the node listens only on
            // loopback addresses.
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
            throw new HarnessException($"redis-server {server.Port} returned an error for {string.Join(' ', words)}: {answer}");
        }
    }

    private static void Until(Func<bool> isSo)
    {
        long begun = Stopwatch.GetTimestamp();
        while (!isSo())
        {
            if (Stopwatch.GetElapsedTime(begun) > ChildProcess.Patience)
            {
                throw new HarnessException("the Redis Cluster did not form in time");
            }

            Thread.Sleep(20);
        }
    }
}
