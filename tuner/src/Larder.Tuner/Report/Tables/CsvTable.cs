using System.Globalization;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report.Tables;

/// <summary>A run as CSV (RFC 4180): one line for each measurement, every figure in its base unit, so that a spreadsheet can go on from there.</summary>
internal static class CsvTable
{
    private static readonly string[] s_headers =
    [
        "phase",
        "name",
        "callers",
        "channels",
        "percent",
        "pass",
        "seconds",
        "intended_per_s",
        "requests_per_s",
        "samples",
        "p50_us",
        "p90_us",
        "p99_us",
        "p999_us",
        "max_us",
        "service_p50_us",
        "service_p99_us",
        "service_p999_us",
        "server_p50_us",
        "server_p99_us",
        "server_p999_us",
        "errors",
        "hits",
        "misses",
        "client_cpu",
        "server_cpu",
        "others_cpu",
        "lag_p99_us",
        "lag_max_us",
        "connections",
        "bytes_per_call",
        "noisy",
        "knee",
        "limit",
    ];

    /// <summary>The text.</summary>
    public static string Of(TuneRun run)
    {
        var lines = new List<IEnumerable<object?>> { s_headers };
        string client = $"{run.Client.Language} {run.Client.Transport}";
        foreach ((SearchRung? rung, int index) in run.Search.Select((rung, index) => (rung, index)))
        {
            lines.AddRange(
                rung.Repetitions.Select(
                    (one, pass) =>
                        Line("search", client, rung.Callers, rung.Channels, null, pass + 1, one, knee: run.Knee?.SearchIndex == index, limit: rung.Verdict)));
        }

        lines.AddRange(
            run.Peers.SelectMany(peer =>
                peer.Rungs.SelectMany(rung =>
                    rung.Repetitions.Select((one, pass) => Line("search", peer.Name, rung.Callers, rung.Channels, null, pass + 1, one)))));
        lines.AddRange(
            run.Proof.Select(step =>
                Line("proof", client, null, null, step.Percent, 1, step.Measured, step.IntendedPerSecond, step.Service, limit: step.Verdict)));
        lines.AddRange(
            run.Channels.SelectMany(row =>
                row.Repetitions.Select((one, pass) => Line("channels", Joined(row.Where, row.Variant), row.Callers, row.Channels, null, pass + 1, one))));
        lines.AddRange(run.Adaptive.Select(row => Line("adaptive", Joined(row.Scenario, row.Cap), null, null, null, 1, row.Measured)));
        return string.Concat(lines.Select(line => string.Join(',', line.Select(Field)) + "\r\n"));
    }

    /// <summary>One field. Text that a spreadsheet would take for a formula gets an apostrophe before it.</summary>
    public static string Field(object? value)
    {
        string text = value switch
        {
            null => "",
            bool flag => flag ? "1" : "0",
            string words => words.Length > 0 && "=+-@\t\r".Contains(words[0]) ? "'" + words : words,
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString() ?? "",
        };
        return text.AsSpan().IndexOfAny(",\"\r\n") < 0 ? text : $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }

    private static object?[] Line(
        string phase,
        string name,
        int? callers,
        int? channels,
        double? percent,
        int pass,
        Measurement one,
        double? intended = null,
        LatencySummary? service = null,
        bool knee = false,
        StepVerdict? limit = null) =>
    [
        phase,
        name,
        callers,
        channels,
        percent,
        pass,
        one.Seconds,
        intended,
        one.RequestsPerSecond,
        one.Latency.Samples,
        one.Latency.P50Us,
        one.Latency.P90Us,
        one.Latency.P99Us,
        one.Latency.P999Us,
        one.Latency.MaxUs,
        service?.P50Us,
        service?.P99Us,
        service?.P999Us,
        one.Server?.P50Us,
        one.Server?.P99Us,
        one.Server?.P999Us,
        one.Errors.Values.Sum(),
        one.Hits,
        one.Misses,
        one.ClientCpu,
        one.ServerCpu,
        one.OthersCpu,
        one.LagP99Us,
        one.LagMaxUs,
        one.Connections,
        one.BytesPerCall,
        one.Noisy,
        knee,
        limit?.Limit.ToString(),
    ];

    private static string Joined(string first, string second) => second.Length > 0 ? $"{first}, {second}" : first;
}
