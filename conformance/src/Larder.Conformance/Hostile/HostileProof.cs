using System.Globalization;
using System.Runtime.InteropServices;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Conformance.Hostile;

/// <summary>
/// Implements <c>--hostile-minutes</c>. Measures each client together with hostile servers, one client after another, and writes a report in Markdown.
/// </summary>
internal static class HostileProof
{
    private const double LaneSeconds = 6;
    private const int KindsOfLanes = 2;

    /// <summary>Runs the measurement. Returns the exit code of the program: 0 if all requirements are met.</summary>
    public static async Task<int> RunAsync(Options options, double minutes, IReadOnlyList<string> arguments, TextWriter output)
    {
        int rounds = Math.Max(1, (int)Math.Ceiling(minutes * 60 / (LaneSeconds * KindsOfLanes)));
        await using var servers = new ServerPool(options.Server, [], options.Endpoint);
        var findings = new List<HostileFinding>();
        foreach (ProgramCommand agent in options.Agents)
        {
            string endpoint = await servers.EndpointAsync([]).ConfigureAwait(false);
            var neighbour = new HostileNeighbour(agent, endpoint, rounds, LaneSeconds, options.Seed, Console.Error.WriteLine);
            findings.Add(await neighbour.RunAsync().ConfigureAwait(false));
        }

        string[] lines =
        [
            .. Machine(arguments),
            "",
            string.Create(CultureInfo.InvariantCulture, $"## N12, random responses of hostile servers, seed {options.Seed}"),
            "",
            "- Each language has one process. One of its clients makes 500 calls/s (open loop) to a normal server over the pipeline.",
            "- At the same time, other clients of the process run one after another. Each calls a hostile server, with a deadline of 150 ms per call.",
            "  The hostile server sends random frames or mutated responses.",
            "- The figures are medians of several rounds. In each round, the measurement with each kind of hostile server takes "
                + LaneSeconds.ToString(CultureInfo.InvariantCulture)
                + " s, and the measurement without hostile servers takes a third of that time.",
            "",
            .. HostileFinding.Heading,
            .. findings.Select(finding => finding.Row()),
            "",
            string.Create(
                CultureInfo.InvariantCulture,
                $"Goals: at most {HostileNeighbour.MaxSlowdown} × normal, no error, at most {HostileCalls.MaxBytes >> 20} MB more memory, no finding."),
            "",
        ];
        foreach (string line in lines)
        {
            await output.WriteLineAsync(line).ConfigureAwait(false);
        }

        if (options.Output is { } file)
        {
            await File.AppendAllLinesAsync(file, lines).ConfigureAwait(false);
        }

        return findings.All(finding => finding.IsKept) ? 0 : 1;
    }

    private static string[] Machine(IReadOnlyList<string> arguments)
    {
        ProgramCommand git = new("git", "git", "describe", "--always", "--dirty", "--abbrev=12") { Folder = AppContext.BaseDirectory };
        IEnumerable<string> asked = arguments.Where((word, at) => word != "--output" && (at == 0 || arguments[at - 1] != "--output"));
        return
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"- machine: {Environment.ProcessorCount} processors, {GC.GetGCMemoryInfo().TotalAvailableMemoryBytes >> 30} GiB, ")
                + $"{RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}",
            $"- commit: {ProgramRun.Of(git).Output.Trim()}",
            string.Create(CultureInfo.InvariantCulture, $"- date: {DateTimeOffset.UtcNow:yyyy-MM-dd HH:mm} UTC"),
            $"- command: `dotnet run --project conformance/src/Larder.Conformance -c Release -- {string.Join(' ', asked)}`",
        ];
    }
}
