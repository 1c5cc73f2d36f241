using Larder.Agent;
using Larder.Lab.Peers.Attacks;
using Larder.Lab.Peers.Near;
using Larder.Lab.Peers.Neighbours;
using Larder.Lab.Peers.Topics;

// Starts an agent (conformance/AGENT.md). The agents of this program run next to a measured client, or make their own measurements.
return args switch
{
    ["flooder"] => await AgentHost.RunAsync("flooder", FloodNeighbour.OpenAsync),
    ["attacker"] => await AgentHost.RunAsync("attacker", AttackerAgent.OpenAsync),
    ["tenant"] => await AgentHost.RunAsync("tenant", TenantAgent.OpenAsync),
    ["guesser"] => await AgentHost.RunAsync("guesser", GuessNeighbour.OpenAsync),
    ["large-values"] => await AgentHost.RunAsync("large-values", LargeValueClient.OpenAsync),
    ["caches"] => await AgentHost.RunAsync("caches", PlainCaches.OpenAsync),
    ["audience"] => await AgentHost.RunAsync("audience", NearReaderGroup.OpenAsync),
    ["near-streams"] => await AgentHost.RunAsync("near-streams", NearStreamGroup.OpenAsync),
    ["topics", string peer] => await AgentHost.RunAsync($"topics-{peer}", request => TopicPeer.OpenAsync(peer, request)),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine(
        "usage: Larder.Lab.Peers flooder|attacker|tenant|guesser|large-values|caches|audience|near-streams|topics larder|redis|nats "
            + "(an agent that reads JSON lines on stdin: conformance/AGENT.md)");
    return 2;
}
