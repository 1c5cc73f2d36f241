using System.Text.Json.Nodes;
using Larder.Tuner.Processes;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>
/// Measures how soon a write of another process becomes visible. One process occasionally writes a few keys, and another process reads them continuously
/// through its near cache.
/// </summary>
internal static class NearSeenBench
{
    private const int Keys = 4;
    private const int PauseMs = 5;

    public static async Task<NearSection> RunAsync(double seconds, IReadOnlyList<string> onServers, Action<string> say)
    {
        List<string> lines =
        [
            Say($"- load: a .NET process writes one of {Keys} keys about every {PauseMs} ms; another process reads them continuously through its near cache, ")
                + Say($"with one caller; {seconds} s for each language"),
            "- delay: from the end of a write to the end of the first read that returned the written value or a later one",
            "",
            "| reader | servers | observed writes | p50 delay | p99 delay | p99.9 delay | longest delay | longest staleness |",
            "|---|---|---:|---:|---:|---:|---:|---:|",
        ];
        bool isPassed = true;
        foreach (string name in onServers)
        {
            await using INearServers servers = await NearCommand.StartAsync(name).ConfigureAwait(false);
            foreach (string language in Agents.Clients)
            {
                NearFindings seen = await ReadAsync(servers, language, seconds).ConfigureAwait(false);
                isPassed &= seen.ViolationCount == 0 && seen.SeenMs.Length > 0;
                lines.Add(Say($"| {language} | {name} | {seen.SeenMs.Length:N0} ")
                    + $"| {Ms(seen, 0.5)} | {Ms(seen, 0.99)} | {Ms(seen, 0.999)} | {Ms(seen, 1)} | {Say($"{seen.LongestStaleMs:0.00} ms")} |");
                say(lines[^1]);
            }
        }

        return new NearSection("Delay until another process reads a write", lines, isPassed);
    }

    private static async Task<NearFindings> ReadAsync(INearServers servers, string language, double seconds)
    {
        string folder = Directory.CreateTempSubdirectory("larder-near-").FullName;
        string[] records = [Path.Combine(folder, "writer.csv"), Path.Combine(folder, "reader.csv")];
        IReadOnlyList<string> endpoints = servers.EndpointsOf(writes: true);
        try
        {
            await using NearProcess writer = await NearProcess.StartDirectAsync("dotnet", 0, endpoints, Open(0)).ConfigureAwait(false);
            await using NearProcess reader = await NearProcess.StartDirectAsync(language, -1, endpoints, Open(3)).ConfigureAwait(false);
            JsonObject writes = Request(language, 0, seconds, records[0]);
            writes["writeShare"] = 1;
            writes["burst"] = 1;
            writes["pauseMs"] = PauseMs;
            Task<JsonObject>[] running = [writer.AskAsync(writes), reader.AskAsync(Request(language, -1, seconds, records[1]))];
            await NearProcess.GoAsync([writer, reader]).ConfigureAwait(false);
            await Task.WhenAll(running).ConfigureAwait(false);
            NearHistory history = new();
            for (int process = 0; process < records.Length; process++)
            {
                history.Add(process, File.ReadLines(records[process]));
            }

            return history.Judge(new NearRules { ShortEvery = 0 });
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static JsonObject Open(int retries) => new() { ["transport"] = "pipeline", ["maxRetries"] = retries, ["nearCacheBytes"] = 1 << 20 };

    private static JsonObject Request(string prefix, int index, double seconds, string records) => new()
    {
        ["op"] = "near",
        ["prefix"] = $"seen-{prefix}",
        ["keys"] = Keys,
        ["index"] = index,
        ["callers"] = 1,
        ["plainShare"] = 0,
        ["deleteEvery"] = 0,
        ["shortEvery"] = 0,
        ["seconds"] = seconds,
        ["hold"] = true,
        ["records"] = records,
    };

    private static string Ms(NearFindings findings, double part) => Say($"{NearFindings.Quantile(findings.SeenMs, part):0.000} ms");
}
