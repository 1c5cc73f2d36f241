using System.Text.Json.Nodes;
using Larder.Harness;

namespace Larder.Conformance.Hostile;

/// <summary>The effects of hostile servers on one client process and on the regular calls in it.</summary>
internal sealed class HostileFinding(string client, IReadOnlyList<string> transports, double laneSeconds)
{
    private readonly List<double> _normal = [];
    private readonly List<double> _random = [];
    private readonly List<double> _grammar = [];
    private int _connections;
    private int _clients;
    private int _calls;
    private int _failed;

    /// <summary>Gets descriptions of forbidden effects.</summary>
    public List<string> Broken { get; } = [];

    /// <summary>Gets the number of calls of the good server's client that failed or returned another call's value.</summary>
    public long Errors { get; private set; }

    /// <summary>Gets or sets the number of bytes by which the peak memory of the process increased after the first round.</summary>
    public long GrownBytes { get; set; }

    /// <summary>Gets whether all requirements are met.</summary>
    public bool IsKept =>
        Broken.Count == 0 && Errors == 0 && GrownBytes <= HostileCalls.MaxBytes && _normal.Count > 0
            && Median.Of(_random) <= HostileNeighbour.MaxSlowdown * Median.Of(_normal)
            && Median.Of(_grammar) <= HostileNeighbour.MaxSlowdown * Median.Of(_normal);

    /// <summary>Gets the header of the Markdown table.</summary>
    public static IReadOnlyList<string> Heading { get; } =
    [
        "| client | hostile on | minutes beside | good calls' p99 µs | beside random | ÷ | beside grammar-made | ÷ | errors | hostile clients | "
            + "connections | calls | of them failed | memory + MB | found |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ];

    /// <summary>Adds the results of one round for the client of the good server.</summary>
    public void Add(JsonObject normal, JsonObject random, JsonObject grammar)
    {
        _normal.Add(NeighbourTimes.P99Us(normal));
        _random.Add(NeighbourTimes.P99Us(random));
        _grammar.Add(NeighbourTimes.P99Us(grammar));
        foreach (JsonObject load in (JsonObject[])[normal, random, grammar])
        {
            Errors += load["errors"]!.AsObject().Sum(error => (long)error.Value!) + (long)load["crossed"]!;
        }
    }

    /// <summary>Adds the results of the clients of hostile servers.</summary>
    public void Add(HostileSessions sessions)
    {
        _connections += sessions.Connections;
        _clients += sessions.Clients;
        _calls += sessions.Calls;
        _failed += sessions.Failed;
        Broken.AddRange(sessions.Broken);
    }

    public string Row()
    {
        if (_normal.Count == 0)
        {
            return $"| {client} | {string.Join(", ", transports)} | | | | | | | | | | | | | {Found} |";
        }

        double normal = Median.Of(_normal);
        return FormattableString.Invariant(
            $"| {client} | {string.Join(", ", transports)} | {_normal.Count * 2 * laneSeconds / 60:F1} | {normal:N0} | {Median.Of(_random):N0} | ")
            + FormattableString.Invariant(
                $"**{Median.Of(_random) / normal:F2}** | {Median.Of(_grammar):N0} | **{Median.Of(_grammar) / normal:F2}** | {Errors} | {_clients:N0} | ")
            + FormattableString.Invariant($"{_connections:N0} | {_calls:N0} | {_failed:N0} | {GrownBytes >> 20} | {Found} |");
    }

    private string Found => Broken.Count == 0 ? "nothing" : string.Join("; ", Broken).ReplaceLineEndings(" ");
}
