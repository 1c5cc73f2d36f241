using Larder.Agent;
using Larder.Tuner.Peers;
using Larder.Tuner.Peers.Attacks;
using Larder.Tuner.Peers.Floor;

// A peer is an agent that knows open, load, stats and close: conformance/AGENT.md. From the flooder on they are neighbours of a measured client, or measure
// themselves.
return args switch
{
    ["httpclient"] => await AgentHost.RunAsync("httpclient", HttpClientPeer.OpenAsync),
    ["redis"] => await RunRedisAsync("stackexchange-redis"),
    ["redis-cluster"] => await RunRedisAsync("stackexchange-redis-cluster"),
    ["floor"] => await AgentHost.RunAsync("floor", FloorClient.OpenAsync),
    ["floor-server"] => await FloorServer.RunUntilEndAsync(),
    ["flooder"] => await AgentHost.RunAsync("flooder", FloodNeighbour.OpenAsync),
    ["attacker"] => await AgentHost.RunAsync("attacker", AttackerAgent.OpenAsync),
    ["tenant"] => await AgentHost.RunAsync("tenant", TenantAgent.OpenAsync),
    ["guesser"] => await AgentHost.RunAsync("guesser", GuessNeighbour.OpenAsync),
    ["large-values"] => await AgentHost.RunAsync("large-values", LargeValueClient.OpenAsync),
    ["caches"] => await AgentHost.RunAsync("caches", BareCaches.OpenAsync),
    ["audience"] => await AgentHost.RunAsync("audience", NearAudience.OpenAsync),
    ["topics", string peer] => await AgentHost.RunAsync($"topics-{peer}", request => TopicPeer.OpenAsync(peer, request)),
    _ => Usage(),
};

static Task<int> RunRedisAsync(string name) => AgentHost.RunAsync(name, request => RedisPeer.OpenAsync(name, request));

static int Usage()
{
    Console.Error.WriteLine(
        "usage: Larder.Tuner.Peers httpclient|redis|redis-cluster|floor|floor-server|flooder|attacker|tenant|guesser|large-values|caches|audience|"
            + "topics larder|redis|nats (an agent that reads JSON lines on stdin: conformance/AGENT.md)");
    return 2;
}
