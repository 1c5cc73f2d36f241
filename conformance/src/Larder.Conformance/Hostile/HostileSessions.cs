using System.Globalization;
using Larder.Harness;
using Larder.Harness.Agents;

namespace Larder.Conformance.Hostile;

/// <summary>Clients of hostile servers in an agent, one after another, on each of the transports in turn, until they are told to end.</summary>
internal sealed class HostileSessions : IAsyncDisposable
{
    private readonly (HostileServer Server, string Transport)[] _servers;
    private readonly AgentProcess _agent;

    /// <summary>Starts the servers.</summary>
    public HostileSessions(AgentProcess agent, HostileMode mode, IReadOnlyList<string> transports, int seed)
    {
        _agent = agent;
        Mode = mode;
        _servers = [.. transports.Select((transport, each) => (new HostileServer(mode, transport == "pipeline", seed + each), transport))];
    }

    /// <summary>What the servers say.</summary>
    public HostileMode Mode { get; }

    /// <summary>Clients opened and closed.</summary>
    public int Clients { get; private set; }

    /// <summary>Calls that they made.</summary>
    public int Calls { get; private set; }

    /// <summary>Of them those that failed, with a code.</summary>
    public int Failed { get; private set; }

    /// <summary>Connections that the servers were given.</summary>
    public int Connections => _servers.Sum(each => each.Server.Connections);

    /// <summary>What no server may do to a client, in words: each thing found.</summary>
    public List<string> Broken { get; } = [];

    /// <summary>Opens clients, calls and closes them until <paramref name="isOver"/>, or something is broken.</summary>
    public async Task RunAsync(Func<bool> isOver)
    {
        while (!isOver() && Broken.Count == 0)
        {
            (HostileServer server, string transport) = _servers[Clients++ % _servers.Length];
            int before = server.Connections;
            try
            {
                string[] answers = await HostileCalls.OfClientAsync(_agent, server, transport, "hostile", HostileCalls.DeadlineMs).ConfigureAwait(false);
                Calls += answers.Length;
                Failed += answers.Count(answer => answer.StartsWith("error", StringComparison.Ordinal));
                Broken.AddRange(answers.Select(HostileCalls.Judge).OfType<string>().Select(wrong => Where(server, transport, before, wrong)));
            }
            catch (Exception ended) when (ended is HarnessException or TimeoutException or InvalidOperationException)
            {
                Broken.Add(Where(server, transport, before, ended.Message));
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach ((HostileServer server, _) in _servers)
        {
            await server.DisposeAsync().ConfigureAwait(false);
        }
    }

    private string Where(HostileServer server, string transport, int before, string what) =>
        string.Create(CultureInfo.InvariantCulture, $"{Mode.Name}, {transport}, connections {before + 1} to {server.Connections}: {what}");
}
