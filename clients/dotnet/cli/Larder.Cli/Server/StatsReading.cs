using System.Text.Json;

namespace Larder.Cli;

/// <summary>
/// The statistics of a server that commands print. A value that the server does not report is 0, an empty string or an empty list. Servers of older or newer
/// versions may not report all values.
/// </summary>
internal sealed record StatsReading
{
    public required string Version { get; init; }

    public required double UptimeSeconds { get; init; }

    public required double CpuSeconds { get; init; }

    public required long ResidentBytes { get; init; }

    public required long Connections { get; init; }

    public required long UsedBytes { get; init; }

    public required long MaxBytes { get; init; }

    public required IReadOnlyList<RpcReading> Rpcs { get; init; }

    public required CacheReading Total { get; init; }

    public required IReadOnlyList<CacheReading> Caches { get; init; }

    public required TopicReading Topics { get; init; }

    /// <summary>Gets the reason why a gateway cannot handle calls. Empty if the gateway can handle calls, or if the server is not a gateway.</summary>
    public required string WhyNotReady { get; init; }

    public static StatsReading Of(JsonElement stats)
    {
        JsonElement store = Part(stats, "store");
        return new StatsReading
        {
            Version = Text(stats, "version"),
            UptimeSeconds = Number(stats, "uptimeSeconds"),
            CpuSeconds = Number(stats, "cpuSeconds"),
            ResidentBytes = (long)Number(stats, "residentBytes"),
            Connections = (long)Number(stats, "connections"),
            UsedBytes = (long)Number(store, "usedMemoryBytes"),
            MaxBytes = (long)Number(store, "maxMemoryBytes"),
            Rpcs = [.. Items(stats, "rpcs").Select(RpcReading.Of)],
            Total = CacheReading.Of(Part(store, "total")),
            Caches = [.. Items(store, "caches").Select(CacheReading.Of)],
            Topics = TopicReading.Of(Part(stats, "topics")),
            WhyNotReady = Text(Part(stats, "fleet"), "whyNotReady"),
        };
    }

    internal static JsonElement Part(JsonElement of, string name) =>
        of.ValueKind == JsonValueKind.Object && of.TryGetProperty(name, out JsonElement part) ? part : default;

    internal static double Number(JsonElement of, string name) => Part(of, name) is { ValueKind: JsonValueKind.Number } number ? number.GetDouble() : 0;

    internal static string Text(JsonElement of, string name) => Part(of, name) is { ValueKind: JsonValueKind.String } text ? text.GetString()! : "";

    internal static IEnumerable<JsonElement> Items(JsonElement of, string name) =>
        Part(of, name) is { ValueKind: JsonValueKind.Array } items ? items.EnumerateArray() : [];
}
