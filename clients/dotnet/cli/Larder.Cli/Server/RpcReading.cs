using System.Text.Json;

namespace Larder.Cli;

/// <summary>One rpc over one transport.</summary>
/// <param name="Rpc">Its name.</param>
/// <param name="Transport">unary or pipeline.</param>
/// <param name="Count">Answers since the server began.</param>
/// <param name="Failures">Those that were no success.</param>
/// <param name="P50Us">Median latency in microseconds.</param>
/// <param name="P99Us">99 % are quicker.</param>
/// <param name="P999Us">99.9 % are quicker.</param>
/// <param name="Buckets">[upper bound in microseconds, answers].</param>
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
