using System.Text;

namespace Larder.Cli;

/// <summary>Formats a server's statistics as one page of at most about fifty lines, regardless of the number of caches.</summary>
internal static class StatsPage
{
    private const int MaxRows = 15;

    public static string Of(StatsReading stats)
    {
        StringBuilder page = new();
        page.Append($"larder {stats.Version}, up {Figure.Time(stats.UptimeSeconds)}");
        page.AppendLine(stats.WhyNotReady.Length > 0 ? $", NOT READY: {TerminalText.OfText(stats.WhyNotReady)}" : "");
        double hits = stats.Total.Hits;
        page.AppendLine(
            $"  connections {Figure.Whole(stats.Connections)}, processor time {Figure.Time(stats.CpuSeconds)}, "
            + $"resident memory {Figure.Bytes(stats.ResidentBytes)}");
        page.AppendLine(
            $"  store {Figure.Bytes(stats.UsedBytes)} of {Figure.Bytes(stats.MaxBytes)} ({Figure.Share(stats.UsedBytes, stats.MaxBytes)}), "
            + $"{Figure.Whole(stats.Total.Entries)} entries, hit ratio {Figure.Share(hits, hits + stats.Total.Misses)}, "
            + $"{Figure.Whole(stats.Total.Evicted)} evicted, {Figure.Whole(stats.Total.Expired)} expired");
        if (stats.Topics is { Topics: > 0 } or { Messages: > 0 })
        {
            page.AppendLine(
                $"  topics {Figure.Whole(stats.Topics.Topics)}, {Figure.Whole(stats.Topics.Subscribers)} subscribers, "
                + $"{Figure.Whole(stats.Topics.Messages)} messages, "
                + $"{Figure.Whole(stats.Topics.Deliveries)} deliveries, {Figure.Whole(stats.Topics.Gaps)} gaps reported");
        }

        page.AppendLine();
        AppendTable(
            page,
            ["call", "transport", "count", "failed", "p50", "p99", "p99.9"],
            [
                .. stats.Rpcs.OrderByDescending(static rpc => rpc.Count).Select(static rpc => (string[])
                [
                    TerminalText.OfText(rpc.Rpc), TerminalText.OfText(rpc.Transport), Figure.Whole(rpc.Count), Figure.Whole(rpc.Failures),
                    Figure.Microseconds(rpc.P50Us), Figure.Microseconds(rpc.P99Us), Figure.Microseconds(rpc.P999Us),
                ]),
            ],
            words: 2,
            "calls");
        page.AppendLine();
        AppendTable(
            page,
            ["cache", "entries", "bytes", "hit ratio", "sets", "evicted", "expired"],
            [
                .. stats.Caches.OrderByDescending(static cache => cache.Bytes).Select(static cache => (string[])
                [
                    TerminalText.OfText(cache.Name),
                    Figure.Whole(cache.Entries),
                    Figure.Bytes(cache.Bytes),
                    Figure.Share(cache.Hits, cache.Hits + cache.Misses),
                    Figure.Whole(cache.Sets), Figure.Whole(cache.Evicted), Figure.Whole(cache.Expired),
                ]),
            ],
            words: 1,
            "caches");
        return page.ToString().TrimEnd('\n');
    }

    // Appends a table. Words are aligned left and numbers right. Rows beyond the limit are not printed. A last line contains their number.
    private static void AppendTable(StringBuilder page, string[] head, List<string[]> rows, int words, string plural)
    {
        string[][] shown = [head, .. rows.Take(MaxRows)];
        int[] widths = [.. head.Select((_, column) => shown.Max(row => row[column].Length))];
        foreach (string[] row in shown)
        {
            IEnumerable<string> cells = row.Select((cell, column) => column < words ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]));
            page.AppendLine("  " + string.Join("  ", cells).TrimEnd());
        }

        if (rows.Count > MaxRows)
        {
            page.AppendLine($"  and {Figure.Whole(rows.Count - MaxRows)} more {plural}; --json prints all");
        }
    }
}
