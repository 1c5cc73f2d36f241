using System.Text.Json.Nodes;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>Measures four processes whose calls are mostly reads. Turns with and without a near cache alternate. The keys follow Zipf's law.</summary>
internal static class NearZipfBench
{
    private const int Keys = 100_000;
    private const double Zipf = 1;
    private const double WriteShare = 0.01;
    private const int Callers = 32;
    private const double WarmupSeconds = 2;

    private static readonly string[] s_processes = ["dotnet", "dotnet", "python", "node"];

    public static async Task<NearSection> RunAsync(int turns, double seconds, Action<string> say)
    {
        await using NearMemory server = await NearMemory.StartAsync().ConfigureAwait(false);
        List<NearZipfTurn> without = [];
        List<NearZipfTurn> near = [];
        for (int turn = 0; turn < turns; turn++)
        {
            foreach (bool isNear in turn % 2 == 0 ? (bool[])[false, true] : [true, false])
            {
                NearZipfTurn measured = await TurnAsync(server, $"zipf-{turn}{(isNear ? "-near" : "")}", isNear, seconds).ConfigureAwait(false);
                (isNear ? near : without).Add(measured);
                say(Say($"round {turn + 1} of {turns}, {(isNear ? "with" : "without")} near cache: {measured.CallsPerSecond():N0} calls per second"));
            }
        }

        NearZipfTable table = new(s_processes, without, near);
        string about =
            Say($"- four processes with {Callers} callers each, {Keys:N0} keys with 100-byte values, Zipf distribution ({Zipf:0.0}), {WriteShare:P0} writes; ")
            + Say($"server and processes on the same machine; {turns} alternating rounds of {seconds} s after {WarmupSeconds} s of warm-up; ")
            + "every response is checked";
        return new NearSection("Four processes with and without a near cache", [about, "", .. table.Lines()], table.Violations == 0);
    }

    // Runs one turn with new keys. Each turn needs new keys, because it writes versions that start at 1.
    private static async Task<NearZipfTurn> TurnAsync(NearMemory server, string prefix, bool isNear, double seconds)
    {
        List<NearProcess> processes = [];
        try
        {
            for (int index = 0; index < s_processes.Length; index++)
            {
                JsonObject open = new() { ["transport"] = "pipeline", ["maxRetries"] = 0, ["nearCacheBytes"] = isNear ? 64 << 20 : 0 };
                processes.Add(await NearProcess.StartDirectAsync(s_processes[index], index, server.EndpointsOf(writes: true), open).ConfigureAwait(false));
            }

            Task<JsonObject>[] running = [.. processes.Select(process => process.AskAsync(Request(prefix, process.Index, seconds)))];
            await NearProcess.GoAsync(processes).ConfigureAwait(false);
            return new NearZipfTurn([.. (await Task.WhenAll(running).ConfigureAwait(false)).Select(NearAnswer.From)]);
        }
        finally
        {
            foreach (NearProcess process in processes)
            {
                await process.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private static JsonObject Request(string prefix, int index, double seconds) => new()
    {
        ["op"] = "near",
        ["prefix"] = prefix,
        ["keys"] = Keys,
        ["zipf"] = Zipf,
        ["index"] = index,
        ["writers"] = s_processes.Length,
        ["callers"] = Callers,
        ["writeShare"] = WriteShare,
        ["plainShare"] = 0,
        ["deleteEvery"] = 0,
        ["shortEvery"] = 0,
        ["seconds"] = seconds,
        ["warmupSeconds"] = WarmupSeconds,
        ["hold"] = true,
    };
}
