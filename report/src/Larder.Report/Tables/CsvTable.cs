using System.Globalization;
using Larder.Report.Runs;

namespace Larder.Report.Tables;

/// <summary>A run as CSV (RFC 4180) for spreadsheets. It has one line for each measurement. Every value is in its base unit.</summary>
internal static class CsvTable
{
    private static readonly string[] s_headers =
    [
        "phase",
        "name",
        "callers",
        "channels",
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
        "target_us",
        "target_low_us",
        "target_high_us",
        "kept",
        "late_p999_us",
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
        "stalls_over_5ms",
        "worst_stall_us",
        "stolen_s",
        "noisy",
        "knee",
        "limit",
    ];

    public static string Of(TuneRun run)
    {
        var lines = new List<IEnumerable<object?>> { s_headers };
        string client = $"{run.Client.Language} {run.Client.Transport}";
        foreach ((SearchRung? rung, int index) in run.Search.Select((rung, index) => (rung, index)))
        {
            lines.AddRange(
                rung.Repetitions.Select(
                    (one, pass) =>
                        Line("search", client, rung.Callers, rung.Channels, pass + 1, one, knee: run.Knee?.SearchIndex == index, limit: rung.Verdict)));
        }

        lines.AddRange(
            run.Peers.SelectMany(peer =>
                peer.Rungs.SelectMany(rung =>
                    rung.Repetitions.Select((one, pass) => Line("search", peer.Name, rung.Callers, rung.Channels, pass + 1, one)))));
        lines.AddRange(
            run.Rates.Select(step =>
                Line(step.Kind.ToString().ToLowerInvariant(), client, step.Cap, null, step.Attempt, step.Measured, step, limit: step.Verdict)));
        lines.AddRange(
            run.Channels.SelectMany(row =>
                row.Repetitions.Select((one, pass) => Line("channels", Joined(row.Where, row.Variant), row.Callers, row.Channels, pass + 1, one))));
        lines.AddRange(run.Adaptive.Select(row => Line("adaptive", Joined(row.Scenario, row.Cap), null, null, 1, row.Measured)));
        return string.Concat(lines.Select(line => string.Join(',', line.Select(Field)) + "\r\n"));
    }

    /// <summary>Formats one field. If a spreadsheet would interpret the text as a formula, it is prefixed with an apostrophe.</summary>
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
        int pass,
        Measurement one,
        RateStep? step = null,
        bool knee = false,
        StepVerdict? limit = null) =>
    [
        phase,
        name,
        callers,
        channels,
        pass,
        one.Seconds,
        step?.RatePerSecond,
        one.RequestsPerSecond,
        one.Latency.Samples,
        one.Latency.P50Us,
        one.Latency.P90Us,
        one.Latency.P99Us,
        one.Latency.P999Us,
        one.Latency.MaxUs,
        step?.TargetUs,
        step?.LowUs,
        step?.HighUs,
        step is null ? null : step.Miss is null,
        step?.Late?.P999Us,
        step?.Service.P50Us,
        step?.Service.P99Us,
        step?.Service.P999Us,
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
        one.Stalls?.Over5Ms,
        one.Stalls?.WorstUs,
        one.Stalls?.StolenSeconds,
        one.Noisy,
        knee,
        limit?.Limit.ToString(),
    ];

    private static string Joined(string first, string second) => second.Length > 0 ? $"{first}, {second}" : first;
}
