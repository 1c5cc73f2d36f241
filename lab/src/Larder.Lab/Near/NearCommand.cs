using System.CommandLine;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>The command <c>larder lab near</c>: tests and measures near caches.</summary>
internal static class NearCommand
{
    private const double HitSeconds = 1;
    private const double ZipfSeconds = 5;
    private const double SeenSeconds = 20;

    private static readonly NearOptions s_defaults = new();

    private static readonly Argument<string[]> s_parts = new("parts")
    {
        Description = "Parts to run. run: clients in three languages read and write numbered values while networks fail and servers are killed; no read may be "
            + "stale. hits: duration of a near-cache hit. writes: cost of near streams for writers. zipf: four processes with and without a near cache. "
            + "seen: delay until another process reads a write. scale: up to 5,000 near streams. The default is all.",
        DefaultValueFactory = static _ => [],
    };
    private static readonly Option<string> s_servers = new("--servers")
    {
        Description = "Servers for the parts run, seen and scale, comma-separated: memory (one server), fleet (gateways and a Redis Cluster).",
        DefaultValueFactory = static _ => string.Join(',', s_defaults.Servers),
    };
    private static readonly Option<double> s_seconds = new("--run-seconds")
    {
        Description = "Seconds per randomised run, 105 to 3600.",
        DefaultValueFactory = static _ => s_defaults.RunTime.TotalSeconds,
    };
    private static readonly Option<long?> s_reads = new("--reads")
    {
        Description = "Minimum total number of reads in all randomised runs. The default is 10 million.",
    };
    private static readonly Option<int> s_turns = new("--turns")
    {
        Description = "Number of rounds of the measurements hits, writes and zipf, 1 to 100. Results are medians of the rounds.",
        DefaultValueFactory = static _ => s_defaults.Turns,
    };
    private static readonly Option<string?> s_program = new("--server-program")
    {
        Description = "Server program that the parts writes and scale measure. The default is the server of this checkout.",
    };
    private static readonly Option<string> s_streams = new("--streams")
    {
        Description = "Numbers of near streams of the part scale, comma-separated.",
        DefaultValueFactory = static _ => string.Join(',', s_defaults.Streams),
    };
    private static readonly Option<int> s_seed = new("--seed")
    {
        Description = "Random seed of the runs.",
        DefaultValueFactory = static _ => s_defaults.Seed,
    };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also append the result as Markdown to this file." };

    public static Command Create()
    {
        Command command = new("near", "Tests that near caches return no stale value when networks or servers fail, and measures their benefit and cost.")
        {
            s_parts, s_servers, s_seconds, s_reads, s_turns, s_seed, s_program, s_streams, s_output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => Read(arguments), options => RunAsync(options, arguments.GetValue(s_output))));
        return command;
    }

    private static NearOptions Read(ParseResult arguments)
    {
        string[] parts = arguments.GetValue(s_parts)!;
        return new NearOptions
        {
            Parts = parts.Length == 0 ? s_defaults.Parts : [.. parts.Select(static part => CommandLine.OneOf(part, "a part", [.. NearOptions.AllParts]))],
            Servers =
            [
                .. CommandLine.List(arguments.GetValue(s_servers)!)
                    .Select(static servers => CommandLine.OneOf(servers, s_servers.Name, [.. NearOptions.AllServers])),
            ],
            RunTime = arguments.GetValue(s_seconds) is >= 105 and <= 3_600 and double seconds
                ? TimeSpan.FromSeconds(seconds)
                : throw new FormatException($"{s_seconds.Name} must be 105 to 3600"),
            Reads = arguments.GetValue(s_reads) ?? s_defaults.Reads,
            Turns = arguments.GetValue(s_turns) is >= 1 and <= 100 and int turns ? turns : throw new FormatException($"{s_turns.Name} must be 1 to 100"),
            Seed = arguments.GetValue(s_seed),
            ServerProgram = arguments.GetValue(s_program),
            Streams =
            [
                .. CommandLine.List(arguments.GetValue(s_streams)!).Select(static count =>
                    int.TryParse(count, out int streams) && streams is >= 0 and <= 20_000
                        ? streams
                        : throw new FormatException($"{s_streams.Name} must be numbers from 0 to 20000")),
            ],
        };
    }

    private static async Task<int> RunAsync(NearOptions options, FileInfo? output)
    {
        var report = new BenchReport(output, ThisMachine.Fingerprint().Lines(CommandLine.Typed(s_output.Name)));
        bool isPassed = true;
        foreach (string part in options.Parts)
        {
            foreach (NearSection section in await SectionsAsync(part, options, Console.Error.WriteLine).ConfigureAwait(false))
            {
                report.Add(["", $"## {section.Title}", .. section.Lines]);
                isPassed &= section.Passed;
            }
        }

        report.Write();
        return isPassed ? 0 : 1;
    }

    private static async Task<IReadOnlyList<NearSection>> SectionsAsync(string part, NearOptions options, Action<string> say) => part switch
    {
        "run" => await RunsAsync(options, say).ConfigureAwait(false),
        "hits" => [await NearHitsBench.RunAsync(options.Turns, HitSeconds, say).ConfigureAwait(false)],
        "writes" =>
        [
            await NearWritesBench.RunAsync(new NearWritesOptions { Turns = options.Turns, ServerProgram = options.ServerProgram }, say).ConfigureAwait(false),
        ],
        "zipf" => [await NearZipfBench.RunAsync(options.Turns, ZipfSeconds, say).ConfigureAwait(false)],
        "scale" => await ScaleAsync(options, say).ConfigureAwait(false),
        _ => [await NearSeenBench.RunAsync(SeenSeconds, options.Servers, say).ConfigureAwait(false)],
    };

    private static async Task<IReadOnlyList<NearSection>> RunsAsync(NearOptions options, Action<string> say)
    {
        List<NearSection> sections = [];
        long reads = 0;
        foreach (string name in options.Servers)
        {
            await using INearServers servers = await StartAsync(name).ConfigureAwait(false);
            NearRunOptions run = new()
            {
                Time = options.RunTime,
                Seed = options.Seed,
                Faults = name == "fleet" ? NearFault.OnFleet : NearFault.OnMemory,
            };
            NearRunResult result = await new NearRun(run, servers, say).RunAsync().ConfigureAwait(false);
            reads += result.Reads;
            sections.Add(new NearSection($"Randomised run, {name}", result.Lines(), result.Passed));
        }

        bool isEnough = reads >= options.Reads;
        string sum = Say($"- {(isEnough ? "pass" : "**FAIL**")}: {reads:N0} reads in total (goal: at least {options.Reads:N0})");
        sections[^1] = sections[^1] with { Lines = [.. sections[^1].Lines, sum], Passed = sections[^1].Passed && isEnough };
        return sections;
    }

    private static async Task<IReadOnlyList<NearSection>> ScaleAsync(NearOptions options, Action<string> say)
    {
        List<NearSection> sections = [];
        foreach (string name in options.Servers)
        {
            sections.Add(await NearScaleBench.RunAsync(name, options.Turns, options.ServerProgram, options.Streams, say).ConfigureAwait(false));
        }

        return sections;
    }

    /// <summary>Starts a fleet if the name is <c>fleet</c>; otherwise starts a single server.</summary>
    internal static async Task<INearServers> StartAsync(string name) =>
        name == "fleet" ? await NearFleet.StartAsync().ConfigureAwait(false) : await NearMemory.StartAsync().ConfigureAwait(false);
}
