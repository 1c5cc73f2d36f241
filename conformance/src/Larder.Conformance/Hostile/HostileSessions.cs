using System.Globalization;
using Larder.Harness;
using Larder.Harness.Agents;

namespace Larder.Conformance.Hostile;

/// <summary>Opens clients of hostile servers in an agent, one client after another. The clients alternate between the transports.</summary>
internal sealed class HostileSessions : IAsyncDisposable
{
    private readonly (HostileServer Server, string Transport)[] _servers;
    private readonly AgentProcess _agent;

    public HostileSessions(AgentProcess agent, HostileMode mode, IReadOnlyList<string> transports, int seed)
    {
        _agent = agent;
        Mode = mode;
        _servers = [.. transports.Select((transport, each) => (new HostileServer(mode, transport == "pipeline", seed + each), transport))];
    }

    /// <summary>Gets the mode of the servers.</summary>
    public HostileMode Mode { get; }

    /// <summary>Gets the number of clients opened and closed so far.</summary>
    public int Clients { get; private set; }

    /// <summary>Gets the number of calls made so far.</summary>
    public int Calls { get; private set; }

    /// <summary>Gets the number of calls that failed with an error code.</summary>
    public int Failed { get; private set; }

    /// <summary>Gets the number of connections that the servers have accepted.</summary>
    public int Connections => _servers.Sum(each => each.Server.Connections);

    /// <summary>Gets descriptions of forbidden effects of the servers.</summary>
    public List<string> Broken { get; } = [];

    /// <summary>Opens clients, makes calls and closes the clients until <paramref name="isOver"/> returns true or a forbidden effect was found.</summary>
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
