using Larder.Agent;
using Larder.Tuner.Peers;

// A peer is an agent that knows open, load, stats and close: conformance/AGENT.md.
return args switch
{
    ["httpclient"] => await AgentHost.RunAsync("httpclient", HttpClientPeer.OpenAsync),
    ["redis"] => await AgentHost.RunAsync("stackexchange-redis", RedisPeer.OpenAsync),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine("usage: Larder.Tuner.Peers httpclient|redis (an agent that reads JSON lines on stdin: conformance/AGENT.md)");
    return 2;
}
