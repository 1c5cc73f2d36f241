using System.Globalization;
using Larder.Report.Runs;

namespace Larder.Tuner.Bench;

/// <summary>A column of the result table, on the terminal and in Markdown.</summary>
internal sealed record BenchColumn(string Header, Func<BenchRow, string> Cell)
{
    private static readonly CultureInfo s_culture = CultureInfo.InvariantCulture;
    private static readonly string[] s_narrow = ["gateway", "client", "transport", "callers", "req/s", "×", "p50", "p99", "p99.9", "errors", "conns"];

    // The columns that compare the resources of a gateway with those of its redis-servers: CPU time per call, allocations, memory.
    private static readonly BenchColumn[] s_fleet =
    [
        new("gateway µs/call", row => row.GatewayCpuUs?.ToString("F2", s_culture) ?? "–"),
        new("redis µs/call", row => row.StoreCpuUs?.ToString("F2", s_culture) ?? "–"),
        new("gateway ÷ redis", row => (row.GatewayCpuUs / row.StoreCpuUs)?.ToString("F2", s_culture) ?? "–"),
        new("gateway B/call", row => row.ServerBytesPerCall?.ToString("N1", s_culture) ?? "–"),
        new("gateway MiB", row => Mib(row.ServerResidentBytes)),
        new("redis MiB", row => Mib(row.StoreResidentBytes)),
    ];

    /// <summary>
    /// Returns all columns for the rows. For each of <paramref name="peers"/>, ratio columns compare a row with the row of the peer for the same rung.
    /// </summary>
    public static IReadOnlyList<BenchColumn> For(IReadOnlyList<BenchRow> rows, IReadOnlySet<string> peers) =>
    [
        new("client", row => row.Client),
        new("transport", row => row.Transport),
        new("callers", row => row.Rung.ToString()),
        new("req/s", row => row.RequestsPerSecond.ToString("N0", s_culture) + (row.Disturbed ? " ~" : "")),
        .. peers.SelectMany(peer => Ratios(rows, peer)),
        new("hits", row => row.HitRatio?.ToString("P1", s_culture) ?? "–"),
        new("p50 µs", row => Us(row.P50Us)),
        new("p90 µs", row => Us(row.P90Us)),
        new("p99 µs", row => Us(row.P99Us)),
        new("p99.9 µs", row => Us(row.P999Us) + (row.EnoughForP999 ? "" : " ?")),
        new("max µs", row => Us(row.MaxUs)),
        new("errors", row => row.Errors.ToString("N0", s_culture)),
        new("server p50 µs", row => Us(row.ServerP50Us)),
        new("server p99.9 µs", row => Us(row.ServerP999Us)),
        new("conns", row => row.Connections?.ToString("N0", s_culture) ?? "–"),
        new("B/call", row => row.BytesPerCall?.ToString("N0", s_culture) ?? "–"),
        new("CPU client", row => row.ClientCpu.ToString("F2", s_culture)),
        new("CPU server", row => row.ServerCpu?.ToString("F2", s_culture) ?? "–"),
        new("req/CPU-s", row => row.RequestsPerCpuSecond?.ToString("N0", s_culture) ?? "–"),
        .. rows.Any(row => row.StoreCpu is not null) ? s_fleet : [],
    ];

    /// <summary>Returns the columns for a terminal that is 80 to 200 characters wide.</summary>
    public static IReadOnlyList<BenchColumn> Narrow(IReadOnlyList<BenchRow> rows, IReadOnlySet<string> peers) =>
        [.. For(rows, peers).Where(column => !column.Header.StartsWith("p99.9 ×", StringComparison.Ordinal) && s_narrow.Contains(column.Header.Split(' ')[0]))];

    /// <summary>Returns the columns for the short table of <c>larder quickstart</c>, with the knee marked.</summary>
    public static IReadOnlyList<BenchColumn> Short(IReadOnlyList<BenchRow> rows, IReadOnlySet<string> peers) =>
    [
        .. For(rows, peers)
            .Where(column => column.Header is "transport" or "callers" or "req/s" or "hits" or "p50 µs" or "p99 µs" or "p99.9 µs" or "errors" or "conns"),
        new("", row => row == KneeOf(rows) ? "← knee" : ""),
    ];

    /// <summary>Returns the row at the knee, or null if there are no rows.</summary>
    public static BenchRow? KneeOf(IReadOnlyList<BenchRow> rows) =>
        Knee.Of([.. rows.Select(row => (row.InFlight, row.RequestsPerSecond, row.P999Us))]) is { } index ? rows[index] : null;

    /// <summary>Formats a time in µs with at least three significant digits.</summary>
    public static string Us(double? us) => us switch
    {
        null => "–",
        < 100 => us.Value.ToString("F2", s_culture),
        < 1000 => us.Value.ToString("F1", s_culture),
        _ => us.Value.ToString("N0", s_culture),
    };

    private static string Mib(double? bytes) => (bytes / (1 << 20))?.ToString("N0", s_culture) ?? "–";

    private static IEnumerable<BenchColumn> Ratios(IReadOnlyList<BenchRow> rows, string peer)
    {
        string name = peer.Replace("stackexchange-", "", StringComparison.Ordinal);
        yield return new($"× {name}", row => Ratio(rows, peer, row, other => other.RequestsPerSecond));
        yield return new($"p99.9 × {name}", row => Ratio(rows, peer, row, other => other.P999Us));
    }

    private static string Ratio(IReadOnlyList<BenchRow> rows, string peer, BenchRow row, Func<BenchRow, double> figure)
    {
        BenchRow? other = rows.FirstOrDefault(candidate => candidate.Client == peer && candidate.Rung == row.Rung);
        return other is null || row.Client == peer ? "–" : (figure(row) / figure(other)).ToString("F2", s_culture);
    }
}
