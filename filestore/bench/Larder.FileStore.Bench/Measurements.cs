using System.Text.Json;
using BenchmarkDotNet.Reports;

namespace Larder.FileStore.Bench;

/// <summary>One row: the median time of a call, and the bytes that all threads allocate per call.</summary>
internal sealed record Measurement(string Operation, string Subject, int Entries, double Nanoseconds, double Bytes, Provenance From);

/// <summary>The latest measurement of each benchmark, stored as one JSON object per line.</summary>
internal sealed class Measurements(string path, List<Measurement> rows)
{
    internal IReadOnlyList<Measurement> Rows => rows;

    internal static Measurements Load(string path) =>
        new(path, File.Exists(path) ? [.. File.ReadLines(path).Select(line => JsonSerializer.Deserialize<Measurement>(line)!)] : []);

    /// <summary>Replaces the rows of the benchmarks in a run with the results of the run.</summary>
    internal void Merge(Summary summary, Provenance from)
    {
        foreach (BenchmarkReport report in summary.Reports)
        {
            if (report.ResultStatistics is not { } statistics)
            {
                continue;
            }
            // The methods of benchmarks are named Subject_Operation.
            string[] name = report.BenchmarkCase.Descriptor.WorkloadMethod.Name.Split('_');
            int entries = (int)report.BenchmarkCase.Parameters["Entries"];
            rows.RemoveAll(r => r.Operation == name[1] && r.Subject == name[0] && r.Entries == entries);
            rows.Add(
                new Measurement(name[1], name[0], entries, statistics.Median, report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0, from));
        }
    }

    internal void Save()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllLines(path, rows
            .OrderBy(r => r.Operation, StringComparer.Ordinal).ThenBy(r => r.Subject, StringComparer.Ordinal).ThenBy(r => r.Entries)
            .Select(r => JsonSerializer.Serialize(r)));
    }

    internal Measurement? Find(string operation, string subject, int entries) =>
        rows.Find(r => r.Operation == operation && r.Subject == subject && r.Entries == entries);
}
