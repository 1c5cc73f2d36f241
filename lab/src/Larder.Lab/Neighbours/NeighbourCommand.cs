using System.CommandLine;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;

namespace Larder.Lab.Neighbours;

/// <summary>The command <c>larder lab neighbour</c>: measures how a hostile or heavy neighbour affects the small calls of a busy client.</summary>
internal static class NeighbourCommand
{
    private static readonly Argument<string> s_part = new("part")
    {
        Description = "Neighbour of the measured client. flood: attackers flood the server with frames (N1). frames: attackers send random or mutated frames "
            + "(N1). large: the same client or another process writes and reads one 5 MB value per second (N10). tokens: calls with wrong tokens come from "
            + "another address or from the address of the client (A1). handshakes: another process opens new TLS connections.",
    };
    private static readonly Option<string> s_transport = new("--transport")
    {
        Description = "Transports, comma-separated: unary, pipeline, auto.",
        DefaultValueFactory = _ => "pipeline,unary",
    };
    private static readonly Option<int> s_rounds = new("--rounds") { Description = "Number of rounds; medians are compared.", DefaultValueFactory = _ => 5 };
    private static readonly Option<double?> s_minutes = new("--minutes")
    {
        Description = "For frames, instead of --rounds: total minutes for random and grammar-based frames, in all rounds and over all transports.",
    };
    private static readonly Option<int> s_seed = new("--seed") { Description = "For frames: random seed.", DefaultValueFactory = _ => 1 };
    private static readonly Option<double?> s_seconds = new("--seconds")
    {
        Description = "Duration of each measurement in seconds. The default is 3 for large and handshakes, 6 for frames, and 1.2 otherwise.",
    };
    private static readonly Option<double?> s_rate = new("--rate")
    {
        Description = "Small calls per second. The default is 30,000 for large, and 4,000 otherwise.",
    };
    private static readonly Option<int> s_attackers = new("--attackers")
    {
        Description = "Number of concurrent attackers, 1 to 100.",
        DefaultValueFactory = _ => 4,
    };
    private static readonly Option<double> s_connections = new("--connections")
    {
        Description = "For frames: connections per second, 1 to 100,000.",
        DefaultValueFactory = _ => 1_000,
    };
    private static readonly Option<double> s_guesses = new("--guesses")
    {
        Description = "Wrong tokens per second, 1 to 100,000.",
        DefaultValueFactory = _ => 10_000,
    };
    private static readonly Option<double> s_handshakes = new("--handshakes")
    {
        Description = "Connections with full TLS handshakes per second, 1 to 100,000.",
        DefaultValueFactory = _ => 1_000,
    };
    private static readonly Option<int> s_nice = new("--nice")
    {
        Description = "Niceness of the attackers' process, 0 to 19.",
        DefaultValueFactory = _ => 19,
    };
    private static readonly Option<bool?> s_idle = new("--idle")
    {
        Description = "Run the attackers' process only on idle processors, and ignore --nice. This is the default for frames: these attackers open "
            + "connections at a fixed rate, and the result states this rate.",
    };
    private static readonly Option<double> s_noiseLimit = new("--noise-limit")
    {
        Description = "Maximum number of processors that other programs and the host may use. If they use more, the round is repeated.",
        DefaultValueFactory = _ => 0.1,
    };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also append the result as Markdown to this file." };

    public static Command Create()
    {
        s_part.AcceptOnlyFromAmong("flood", "frames", "large", "tokens", "handshakes");
        var command = new Command(
            "neighbour",
            "Measures the latency of small calls while a neighbour sends floods, random frames, large values or wrong tokens, or makes TLS handshakes.")
        {
            s_part, s_transport, s_rounds, s_minutes, s_seed, s_seconds, s_rate, s_attackers, s_connections, s_guesses, s_handshakes, s_nice, s_idle,
            s_noiseLimit, s_output,
        };
        command.SetAction((arguments, _) => RunAsync(arguments));
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments)
    {
        string part = arguments.GetValue(s_part)!;
        bool isLarge = part == "large";
        var options = new NeighbourOptions
        {
            Transports = arguments.GetValue(s_transport)!.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
            Rounds = arguments.GetValue(s_rounds),
            Seconds = arguments.GetValue(s_seconds) ?? (part switch { "large" or "handshakes" => 3, "frames" => 6, _ => 1.2 }),
            RatePerSecond = arguments.GetValue(s_rate) ?? (isLarge ? 30_000 : 4_000),
            Attackers = arguments.GetValue(s_attackers),
            ConnectionsPerSecond = arguments.GetValue(s_connections),
            GuessesPerSecond = arguments.GetValue(s_guesses),
            HandshakesPerSecond = arguments.GetValue(s_handshakes),
            AttackersNice = arguments.GetValue(s_nice),
            AttackersIdle = arguments.GetValue(s_idle) ?? part == "frames",
            Seed = arguments.GetValue(s_seed),
            NoiseLimit = arguments.GetValue(s_noiseLimit),
        };
        if (arguments.GetValue(s_minutes) is { } minutes)
        {
            options = options with { Rounds = FramesProof.Rounds(minutes, options.Seconds, options.Transports.Count) };
        }

        if (options is { Rounds: < 1 } or { Seconds: <= 0 } or { RatePerSecond: <= 0 } or { Attackers: < 1 or > 100 } or { AttackersNice: < 0 or > 19 }
            or { NoiseLimit: not > 0 }
            or { ConnectionsPerSecond: < 1 or > 100_000 } or { GuessesPerSecond: < 1 or > 100_000 } or { HandshakesPerSecond: < 1 or > 100_000 })
        {
            const string Bounds = "--rounds, --seconds, --rate and --noise-limit must be greater than 0; --attackers must be 1 to 100; --connections, "
                + "--guesses and --handshakes must be 1 to 100,000; --nice must be 0 to 19";
            await Console.Error.WriteLineAsync(Bounds).ConfigureAwait(false);
            return 2;
        }

        Action<string> say = Console.Error.WriteLine;
        Func<string, Task<(IReadOnlyList<string> Lines, bool Kept)>> run = part switch
        {
            "flood" => new FloodProof(options, say).RunAsync,
            "frames" => new FramesProof(options, say).RunAsync,
            "handshakes" => new HandshakeProof(options, say).RunAsync,
            "tokens" => new TokenProof(options, say).RunAsync,
            _ => new LargeProof(options, say).RunAsync,
        };
        var report = new BenchReport(arguments.GetValue(s_output), [.. ThisMachine.Fingerprint().Lines(CommandLine.Typed(s_output.Name)), ""]);
        bool kept = true;
        foreach (string transport in options.Transports)
        {
            (IReadOnlyList<string>? lines, bool isKept) = await run(transport).ConfigureAwait(false);
            report.Add(lines);
            kept &= isKept;
        }

        report.Write();
        return kept ? 0 : 1;
    }
}
