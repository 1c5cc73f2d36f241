using System.Text.Json;

namespace Larder.Cli;

/// <summary>The statistics of one RPC on one transport.</summary>
/// <param name="Rpc">The RPC's name.</param>
/// <param name="Transport">The transport: unary or pipeline.</param>
/// <param name="Count">The number of responses since the server started.</param>
/// <param name="Failures">The number of these responses that were errors.</param>
/// <param name="P50Us">The median latency in microseconds.</param>
/// <param name="P99Us">The 99th percentile of the latency in microseconds.</param>
/// <param name="P999Us">The 99.9th percentile of the latency in microseconds.</param>
/// <param name="Buckets">The histogram of latencies. Each entry is [upper bound in microseconds, number of responses].</param>
internal sealed record RpcReading(
    string Rpc,
    string Transport,
    long Count,
    long Failures,
    double P50Us,
    double P99Us,
    double P999Us,
    IReadOnlyList<(double UpToUs, long Count)> Buckets)
{
    public static RpcReading Of(JsonElement rpc) => new(
        StatsReading.Text(rpc, "rpc"),
        StatsReading.Text(rpc, "transport"),
        (long)StatsReading.Number(rpc, "count"),
        StatsReading.Part(rpc, "failures") is { ValueKind: JsonValueKind.Object } failures
            ? failures.EnumerateObject().Sum(static one => one.Value.GetInt64())
            : 0,
        StatsReading.Number(rpc, "p50Us"),
        StatsReading.Number(rpc, "p99Us"),
        StatsReading.Number(rpc, "p999Us"),
        [
            .. StatsReading.Items(rpc, "buckets")
                .Where(static bucket => bucket.GetArrayLength() == 2)
                .Select(static bucket => (bucket[0].GetDouble(), (long)bucket[1].GetDouble())),
        ]);
}
