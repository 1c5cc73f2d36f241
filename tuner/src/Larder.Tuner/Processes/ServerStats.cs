using System.Text.Json.Nodes;

namespace Larder.Tuner.Processes;

/// <summary>The statistics of a Larder server from <c>/stats</c>.</summary>
internal sealed record ServerStats(
    double CpuSeconds,
    long ResidentBytes,
    long? AllocatedBytes,
    long Connections,
    long Streams,
    IReadOnlyDictionary<(string Rpc, double UpperUs), long> Buckets)
{
    private static readonly HttpClient s_http = new() { Timeout = TimeSpan.FromSeconds(5) };

    /// <summary>Gets the state of a gateway's cluster, or null for a server with its own store.</summary>
    public GatewayStats? Gateway { get; private init; }

    /// <summary>Reads the statistics from a console. Returns null if the console does not respond.</summary>
    public static async Task<ServerStats?> ReadAsync(Uri console)
    {
        try
        {
            return Parse(await s_http.GetStringAsync(new Uri(console, "/stats")).ConfigureAwait(false));
        }
        catch (Exception unreachable) when (unreachable is HttpRequestException or TaskCanceledException)
        {
            return null;
        }
    }

    /// <summary>Parses the JSON of the page.</summary>
    public static ServerStats Parse(string json)
    {
        JsonNode page = JsonNode.Parse(json)!;
        var buckets = new Dictionary<(string, double), long>();
        foreach (JsonNode? rpc in page["rpcs"]!.AsArray())
        {
            string name = $"{rpc!["transport"]} {rpc["rpc"]}";
            foreach (JsonNode? bucket in rpc["buckets"]!.AsArray())
            {
                buckets[(name, (double)bucket![0]!)] = (long)(double)bucket[1]!;
            }
        }

        return new ServerStats(
            (double)page["cpuSeconds"]!,
            (long)page["residentBytes"]!,
            (long?)page["allocatedBytes"],
            (long)page["connections"]!,
            (long)page["streams"]!,
            buckets)
        {
            Gateway = page["fleet"] is { } fleet ? new GatewayStats((bool)fleet["isReady"]!, (long)fleet["outstanding"]!, (long)fleet["waiting"]!) : null,
        };
    }

    /// <summary>
    /// Returns the number of calls that the server completed since an earlier reading, and quantiles of their duration in µs. The quantiles are upper bounds of
    /// buckets that are 6 % wide. Returns null if no calls completed. This can happen on a busy machine: if the server responds to the earlier request for
    /// statistics late, the earlier reading already contains all calls.
    /// </summary>
    public ServerLatency? Since(ServerStats earlier)
    {
        var gained = new SortedDictionary<double, long>();
        foreach (((string Rpc, double UpperUs) key, long count) in Buckets)
        {
            long gain = count - earlier.Buckets.GetValueOrDefault(key);
            if (gain > 0)
            {
                gained[key.UpperUs] = gained.GetValueOrDefault(key.UpperUs) + gain;
            }
        }

        return gained.Count == 0 ? null : new ServerLatency(gained.Values.Sum(), Quantile(gained, 0.5), Quantile(gained, 0.99), Quantile(gained, 0.999));
    }

    private static double Quantile(SortedDictionary<double, long> counts, double quantile)
    {
        long rank = Math.Max(1, (long)Math.Ceiling(quantile * counts.Values.Sum()));
        foreach ((double upperUs, long count) in counts)
        {
            rank -= count;
            if (rank <= 0)
            {
                return upperUs;
            }
        }

        return 0;
    }
}

/// <summary>
/// The state of a gateway's cluster: whether it is reachable, the number of outstanding commands, and the number of commands that wait to be sent again.
/// </summary>
internal sealed record GatewayStats(bool IsReady, long Outstanding, long Waiting);

/// <summary>The latency as measured by the server over a period: the number of calls, and quantiles in µs.</summary>
internal sealed record ServerLatency(long Calls, double P50Us, double P99Us, double P999Us);
