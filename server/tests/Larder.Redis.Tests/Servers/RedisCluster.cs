using System.Globalization;

namespace Larder.Redis.Tests;

/// <summary>A real cluster of three masters, and as many replicas as asked for.</summary>
internal sealed class RedisCluster : IDisposable
{
    private const int Masters = 3;

    private readonly List<RedisServer> _servers = [];

    /// <param name="replicas">Of the first masters, one each.</param>
    /// <param name="nodeTimeoutMs">After which a node is taken for dead by the others.</param>
    public RedisCluster(int replicas = 0, int nodeTimeoutMs = 4000)
    {
        string timeout = nodeTimeoutMs.ToString(CultureInfo.InvariantCulture);
        for (int number = 0; number < Masters + replicas; number++)
        {
            _servers.Add(new RedisServer(
                "--cluster-enabled", "yes", "--cluster-node-timeout", timeout, "--cluster-require-full-coverage", "no", "--maxmemory-policy", "volatile-lfu",
                "--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"));
        }

        Join(replicas);
    }

    public IReadOnlyList<RedisServer> Servers => _servers;

    public string Url => $"redis://{string.Join(',', _servers.Select(static server => server.EndPoint))}";

    /// <summary>The master that has a key's slot at the start.</summary>
    public RedisServer Of(string key) => _servers[Math.Min(SlotOf(key) / (KeySlot.Count / Masters), Masters - 1)];

    public static int SlotOf(string key) => KeySlot.Of(System.Text.Encoding.Latin1.GetBytes(key));

    public void Dispose() => _servers.ForEach(static server => server.Dispose());

    private void Join(int replicas)
    {
        for (int number = 0; number < Masters; number++)
        {
            int share = KeySlot.Count / Masters;
            int last = number == Masters - 1 ? KeySlot.Count - 1 : ((number + 1) * share) - 1;
            Expect("OK", _servers[number].Ask("cluster", "addslotsrange", Text(number * share), Text(last)));
            _servers[number].Ask("cluster", "set-config-epoch", Text(number + 1));
        }

        foreach (RedisServer server in _servers.Skip(1))
        {
            Expect("OK", _servers[0].Ask("cluster", "meet", "127.0.0.1", Text(server.Port)));
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

    private static void Expect(string expected, string answer) => Assert.Equal(expected, answer);

    private static void Until(Func<bool> condition) => Patience.Until(condition, "the cluster is formed");
}
