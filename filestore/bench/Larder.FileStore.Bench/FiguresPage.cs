using System.Globalization;
using System.Text;

namespace Larder.FileStore.Bench;

/// <summary>
/// Formats the measurements as a Markdown page. The page compares each operation of the file store with the caches that offer the same operation, the published
/// measurements and the target.
/// </summary>
internal sealed class FiguresPage(Measurements measurements)
{
    private static readonly int[] Sizes = [100, 1_000, 10_000, 1_000_000];

    /// <summary>
    /// One row per operation. A row contains the caches to compare with, the published measurements of Net.DistributedFileStoreCache, and that library's
    /// measurements on a machine of this kind. The last two fields are targets: the maximum time in nanoseconds and the maximum number of allocated bytes. A
    /// time of 0 means that the operation must not be slower than the dictionary. A negative number means that there is no target.
    /// </summary>
    private static readonly Row[] Table =
    [
        new("Get", ["Dictionary", "MemoryCache"], "25 ns", "8.4–11 ns, 0 B", 0, 0),
        new("GetWithExpiry", ["MemoryCache"], "25 ns", "37–39 ns", 15, 0),
        new("GetAsync", [], "–", "26–32 ns, 104 B", 15, 0),
        new("GetAllKeyValues", [], "80 ns", "50 µs at 1,000", 1_000, -1),
        new("GetClass", ["Dictionary"], "–", "–", -1, -1),
        new("Set", ["Dictionary", "MemoryCache"], "1.3 / 1.7 / 7.9 ms / –", "183 µs / 553 µs / 4.9 ms / –", 3_500, 100),
        new("SetAsync", [], "1.7 / 2.3 / 9.0 ms / –", "–", 3_500, 100),
        new("SetMany100", ["Dictionary", "MemoryCache"], "–", "228 µs – 4.8 ms", 50_000, -1),
    ];

    public override string ToString()
    {
        StringBuilder page = new();
        page.Append("""
            # The file store's figures

            Printed by `dotnet run -c Release --project filestore/bench/Larder.FileStore.Bench -- --filter '*'` (BenchmarkDotNet; medians of seven;
            a part may be run by `--filter '*(Entries: 10000)'`). Keys of 10 characters, each another string object than the one that was set; values of 15.
            A read asks for one key again and again; random keys, which wait for memory, are in [random.md](random.md). The time of a call, and the bytes that
            all threads allocate for it, compactions included. *Published*: the older library's own figures, 100 / 1,000 / 10,000 entries;
            *older library*: the same library on a machine of this kind, another run. Class: a name and an age.

            | | | 100 | 1,000 | 10,000 | 1,000,000 |
            |---|---|---|---|---|---|

            """);
        foreach (Row row in Table)
        {
            Append(page, row);
        }
        AppendElsewhere(page);
        AppendProvenance(page);
        return page.ToString();
    }

    private void Append(StringBuilder page, Row row)
    {
        page.Append(CultureInfo.InvariantCulture, $"| **{row.Operation}** | **file store** |");
        page.AppendJoin('|', Sizes.Select(size => " " + Cell(row.Operation, "FileStore", size) + " ")).Append("|\n");
        foreach (string peer in row.Peers)
        {
            page.Append(CultureInfo.InvariantCulture, $"| | {peer} |");
            page.AppendJoin('|', Sizes.Select(size => " " + Cell(row.Operation, peer, size) + " ")).Append("|\n");
        }
        page.Append(CultureInfo.InvariantCulture, $"| | published · older library | {row.Published} · {row.Older} | | | |\n");
        if (row.AimNanoseconds >= 0)
        {
            string time = row.AimNanoseconds == 0 ? "the dictionary's" : "≤ " + Time(row.AimNanoseconds);
            string bytes = row.AimBytes < 0 ? "" : row.AimBytes == 0 ? ", 0 B" : string.Create(CultureInfo.InvariantCulture, $", ≤ {row.AimBytes} B");
            page.Append(CultureInfo.InvariantCulture, $"| | aim: {time}{bytes} |");
            page.AppendJoin('|', Sizes.Select(size => " " + Verdict(row, size) + " ")).Append("|\n");
        }
    }

    private string Verdict(Row row, int size)
    {
        Measurement? measured = measurements.Find(row.Operation, "FileStore", size);
        double? most = row.AimNanoseconds == 0 ? measurements.Find(row.Operation, "Dictionary", size)?.Nanoseconds : row.AimNanoseconds;
        return measured is null || most is null ? ""
            : measured.Nanoseconds <= most && (row.AimBytes < 0 || measured.Bytes <= row.AimBytes) ? "met"
            : "**missed**";
    }

    private string Cell(string operation, string subject, int size) =>
        measurements.Find(operation, subject, size) is { } m ? Time(m.Nanoseconds) + ", " + m.Bytes.ToString("N0", CultureInfo.InvariantCulture) + " B" : "–";

    /// <summary>
    /// Appends the time of a read in one cache after a write in another cache. Such a read first loads the write from the file. Its time is the time of the
    /// write and the read together, minus the time of a write alone.
    /// </summary>
    private void AppendElsewhere(StringBuilder page)
    {
        page.Append(
            "\nA read after another cache's write (the write and the read, less the write alone; aims: 2 µs for one change, 0.5 µs an entry of many):\n\n| "
                + "| 100 | 1,000 | 10,000 | 1,000,000 |\n|---|---|---|---|---|\n");
        foreach (
            (string label, string with, string without, int entries) in (ReadOnlySpan<(string, string, string, int)>)
                [("one change", "SetThenReadElsewhere", "SetElsewhere", 1), ("each of 100 changes", "SetMany100ThenReadElsewhere", "SetMany100Elsewhere", 100)])
        {
            page.Append(CultureInfo.InvariantCulture, $"| {label} |");
            page.AppendJoin('|', Sizes.Select(size => " " + Difference(with, without, size, entries) + " ")).Append("|\n");
        }
    }

    private string Difference(string with, string without, int size, int entries) =>
        measurements.Find(with, "FileStore", size) is { } a && measurements.Find(without, "FileStore", size) is { } b
            ? Time((a.Nanoseconds - b.Nanoseconds) / entries) : "–";

    private void AppendProvenance(StringBuilder page)
    {
        page.Append("\nSQLite is left out: Microsoft.Data.Sqlite does not install, because the feed lacks the native package it depends on.\n\n");
        foreach (IGrouping<(string Commit, string Machine), Measurement> run in measurements.Rows.GroupBy(r => (r.From.Commit, r.From.Machine)))
        {
            page.Append(CultureInfo.InvariantCulture,
                $"Commit {run.Key.Commit}, {run.Min(r => r.From.Date)} to {run.Max(r => r.From.Date)}, {run.Count()} rows, on {run.Key.Machine}.\n");
        }
    }

    private static string Time(double nanoseconds) => nanoseconds switch
    {
        < 1_000 => nanoseconds.ToString("0.0", CultureInfo.InvariantCulture) + " ns",
        < 1_000_000 => (nanoseconds / 1_000).ToString("0.00", CultureInfo.InvariantCulture) + " µs",
        _ => (nanoseconds / 1_000_000).ToString("0.00", CultureInfo.InvariantCulture) + " ms",
    };

    private sealed record Row(string Operation, string[] Peers, string Published, string Older, double AimNanoseconds, double AimBytes);
}
