using System.Text.Json.Nodes;

namespace Larder.Tuner.Bench;

/// <summary>The view for <c>--json</c>. It prints each row as one line of JSON on stdout. Messages are written to stderr.</summary>
internal sealed class JsonView : IBenchView
{
    /// <summary>
    /// Returns a row as JSON. The fields are stable, so that other programs can use them. Latencies are in µs, and CPU usage is in processors.
    /// </summary>
    public static string Line(BenchRow row) => new JsonObject
    {
        ["client"] = row.Client,
        ["transport"] = row.Transport,
        ["inFlight"] = row.InFlight,
        ["requestsPerSecond"] = row.RequestsPerSecond,
        ["p50Us"] = row.P50Us,
        ["p90Us"] = row.P90Us,
        ["p99Us"] = row.P99Us,
        ["p999Us"] = row.P999Us,
        ["maxUs"] = row.MaxUs,
        ["samples"] = row.Samples,
        ["errors"] = row.Errors,
        ["bytesPerCall"] = row.BytesPerCall,
        ["clientCpu"] = row.ClientCpu,
        ["serverCpu"] = row.ServerCpu,
    }.ToJsonString();

    /// <inheritdoc/>
    public void OnProgress(string step, JsonObject progress)
    {
    }

    /// <inheritdoc/>
    public void OnRejected(string step, double othersCpu) => Console.Error.WriteLine($"rejected: {step}: other programs used {othersCpu:F2} processors");

    /// <inheritdoc/>
    public void OnInterrupted(IReadOnlyList<BenchRow> finished, IReadOnlyList<BenchRow> underWay)
    {
        foreach (BenchRow row in underWay)
        {
            OnRow(row);
        }

        Console.Error.WriteLine(BenchNotes.Incomplete);
    }

    /// <inheritdoc/>
    public void OnRow(BenchRow row)
    {
        Console.Out.WriteLine(Line(row));
        foreach (string note in BenchNotes.Of([row]))
        {
            Console.Error.WriteLine(note);
        }
    }
}
