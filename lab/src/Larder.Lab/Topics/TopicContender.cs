using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Lab.Topics;

/// <summary>A topic server, and the program that publishes to it and subscribes to it. Both run from the first turn to the last.</summary>
internal sealed class TopicContender : IAsyncDisposable
{
    private readonly Backend _server;
    private readonly AgentProcess _agent;

    private TopicContender(string name, Backend server, AgentProcess agent) => (Name, _server, _agent) = (name, server, agent);

    public string Name { get; }

    /// <summary>Gets the address of the server, as host:port.</summary>
    public string Endpoint => _server.Endpoint;

    /// <summary>Starts the server, the program and the subscriptions.</summary>
    public static async Task<TopicContender> StartAsync(string name, TopicBenchOptions options, int subscribers)
    {
        Backend server = name switch
        {
            "larder" => await Backend.LarderAsync().ConfigureAwait(false),
            "redis" => Backend.Redis(),
            "nats" => await Backend.NatsAsync().ConfigureAwait(false),
            _ => throw new TunerException($"unknown topic server \"{name}\"; use larder, redis or nats"),
        };
        AgentProcess? agent = null;
        try
        {
            agent = await AgentProcess.StartAsync(LabAgents.OfTopics(name)).ConfigureAwait(false);
            await agent.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint, ["messageBytes"] = options.MessageBytes })
                .ConfigureAwait(false);
            await agent.RequireAsync(new JsonObject { ["op"] = "follow", ["subscribers"] = subscribers }).ConfigureAwait(false);
            return new TopicContender(name, server, agent);
        }
        catch
        {
            if (agent is not null)
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }

            await server.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Runs a turn in the closed loop.</summary>
    public Task<TopicRound> PumpAsync(TopicBenchOptions options) => RunAsync(options, new JsonObject { ["op"] = "pump", ["window"] = options.Window });

    /// <summary>Runs a turn in the open loop at the given number of messages per second.</summary>
    public Task<TopicRound> PaceAsync(TopicBenchOptions options, double rate) => RunAsync(options, new JsonObject { ["op"] = "pace", ["rate"] = rate });

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _agent.DisposeAsync().ConfigureAwait(false);
        await _server.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<TopicRound> RunAsync(TopicBenchOptions options, JsonObject request)
    {
        request["seconds"] = options.Seconds;
        request["warmupSeconds"] = options.WarmupSeconds;
        return TopicRound.From(Name, await _agent.RequireAsync(request).ConfigureAwait(false));
    }
}
