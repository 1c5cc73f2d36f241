using Larder.Agent;
using Larder.Tuner.Peers;

// A peer is an agent that knows open, load, stats and close: conformance/AGENT.md. The last three are neighbours of a measured client.
return args switch
{
    ["httpclient"] => await AgentHost.RunAsync("httpclient", HttpClientPeer.OpenAsync),
    ["redis"] => await RunRedisAsync("stackexchange-redis"),
    ["redis-cluster"] => await RunRedisAsync("stackexchange-redis-cluster"),
    ["flooder"] => await AgentHost.RunAsync("flooder", FloodNeighbour.OpenAsync),
    ["guesser"] => await AgentHost.RunAsync("guesser", GuessNeighbour.OpenAsync),
    ["large-values"] => await AgentHost.RunAsync("large-values", LargeValueClient.OpenAsync),
    ["topics", string peer] => await AgentHost.RunAsync($"topics-{peer}", request => TopicPeer.OpenAsync(peer, request)),
    _ => Usage(),
};

static Task<int> RunRedisAsync(string name) => AgentHost.RunAsync(name, request => RedisPeer.OpenAsync(name, request));

static int Usage()
{
    Console.Error.WriteLine(
        "usage: Larder.Tuner.Peers httpclient|redis|redis-cluster|flooder|guesser|large-values|topics larder|redis|nats "
            + "(an agent that reads JSON lines on stdin: conformance/AGENT.md)");
    return 2;
}
