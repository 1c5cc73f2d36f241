using System.CommandLine;
using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Live;
using Larder.Tuner.Processes;
using Larder.Tuner.Report;
using Larder.Tuner.Tune.Assertions;
using Larder.Tuner.Tune.Comparisons;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Workloads;

namespace Larder.Tuner.Tune;

/// <summary>The command <c>larder tune</c>: finds the highest number of calls per second that meets a target, and the concurrency limit for it.</summary>
internal static class TuneCommand
{
    private const string Codes =
        "Exit codes: 0 success; 1 an assertion failed; 2 invalid command; 3 no result, because no rate met the target; 4 a required program is "
            + "missing or failed; 130 interrupted.";

    private static readonly Option<string> s_client = new("--client") { Description = "Client: dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
    private static readonly Option<string> s_target = new("--target")
    {
        Description = "Latency target: p50, p90, p99 or p999, followed by = and a duration, such as p999=5ms. Separate several targets with commas.",
        DefaultValueFactory = _ => "p999=5ms",
    };
    private static readonly Option<string> s_transport = new("--transport")
    {
        Description = "Transport: auto, pipeline or unary.",
        DefaultValueFactory = _ => "auto",
    };
    private static readonly Option<string?> s_channels = new("--channels")
    {
        Description = "Minimum numbers of channels to try, comma-separated, such as 1,2. The default is the configuration's value.",
    };
    private static readonly Option<string[]> s_peer = new("--peer")
    {
        Description =
            "Other library to measure alternately with the client; repeatable: redis, garnet, grpc-dotnet, grpc-aspnetcore, redis-py, grpcio, ioredis, "
                + "node-redis, valkey-glide, memjs, grpc-js or momento.",
    };
    private static readonly Option<string> s_workload = new("--workload")
    {
        Description =
            "Workload: reference (100-byte values, 1,000 keys, half gets), production (Zipf, 90 % gets, sizes up to 100 KB), a JSON file, or a trace to "
                + "replay (CSV).",
        DefaultValueFactory = _ => "reference",
    };
    private static readonly Option<string?> s_server = new("--server")
    {
        Description = "Address of a running server: http[s]://[token@]host[:port] or host:port; the token can also be in LARDER_TOKEN. By default, "
            + "a server is started.",
    };
    private static readonly Option<string?> s_console = new("--console") { Description = "host:port of the server's console, to measure its latency and CPU." };
    private static readonly Option<string> s_configuration = new("--configuration")
    {
        Description = "Configuration to start with: laptop, inRegion.default, inRegion.lowLatency or lambda.",
        DefaultValueFactory = _ => "laptop",
    };
    private static readonly Option<string?> s_delay = new("--delay")
    {
        Description = "Simulated network round trip: 1ms, or 30ms+5ms with jitter.",
    };
    private static readonly Option<int> s_rounds = new("--rounds")
    {
        Description = "Number of passes over all steps, 1 to 20; results are medians.",
        DefaultValueFactory = _ => 3,
    };
    private static readonly Option<double?> s_seconds = new("--seconds")
    {
        Description = "Measured seconds per round, 0.1 to 600. By default, the budget is divided evenly among the rounds.",
    };
    private static readonly Option<string?> s_budget = new("--budget")
    {
        Description = "Maximum duration of the run, or of each slice with --all: 40s to 3600s. Several targets, channels or peers require a longer duration. "
            + "The default is 165s, or 300s with --all.",
    };
    private static readonly Option<int> s_most = new("--most")
    {
        Description = "Maximum concurrency to try, 1 to 100,000.",
        DefaultValueFactory = _ => 5000,
    };
    private static readonly Option<bool> s_compareChannels = new("--compare-channels")
    {
        Description = "Compare 1, 2, 5 and 10 channels at the knee and with 5,000 callers. Python is measured with and without uvloop.",
    };
    private static readonly Option<bool?> s_adaptive = new("--adaptive")
    {
        Description = "Compare the client's adaptive concurrency limit with the best fixed limit (the knee). The comparison takes an eighth of the budget, "
            + "at least 18 s. The default is true, or false with --all.",
    };
    private static readonly Option<string[]> s_assert = new("--assert")
    {
        Description = "Assertion: a condition that the result must meet; repeatable. Examples: rate>=10000 (the proved rate), p999<20ms (the p99.9 latency, "
            + "measured while confirming the proved rate), throughput>10000 (at the knee of the closed loop).",
    };
    private static readonly Option<double> s_noise = new("--noise-limit")
    {
        Description = "Maximum number of processors that other programs may use; above it, a round is repeated.",
        DefaultValueFactory = _ => 0.1,
    };
    private static readonly Option<bool> s_all = new("--all")
    {
        Description =
            "Run the full comparison: three languages, both transports and their peers, at p99.9 < 5 ms and < 20 ms. Each finished slice is stored, and "
                + "stored slices are not measured again.",
    };
    private static readonly Option<string?> s_only = new("--only")
    {
        Description = "With --all, measure only these slices again: client/transport, comma-separated, such as dotnet/pipeline,python/unary.",
    };
    private static readonly Option<bool> s_brief = new("--brief")
    {
        Description = "Write only the files to commit: Markdown, and a small JSON file without timeline and curves.",
    };
    private static readonly Option<DirectoryInfo?> s_output = new("--output")
    {
        Description = "Folder to write the run to. The default is larder-tune in the current folder.",
    };

    public static Command Create()
    {
        var command = new Command("tune", $"Finds the highest scheduled rate that meets a latency target, and the concurrency limit for it. {Codes}")
        {
            s_client,
            s_target,
            s_server,
            s_console,
            s_transport,
            s_channels,
            s_workload,
            s_delay,
            s_configuration,
            s_compareChannels,
            s_adaptive,
            s_assert,
            s_peer,
            s_rounds,
            s_seconds,
            s_budget,
            s_most,
            s_noise,
            s_all,
            s_only,
            s_brief,
            s_output,
            CompareCommand.Create(),
            ReportCommand.Create(),
            ReadmeCommand.Create(),
            TraceCommand.Create(),
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => RunAsync(arguments)));
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments)
    {
        TuneOptions options = Read(arguments);
        bool live = !Console.IsOutputRedirected;
        Tuning? underWay = null;
        Task<IReadOnlyList<TuneRun>> TuneAsync(TuneOptions one) =>
            LiveTuneView.WhileAsync(live, view => (underWay = new Tuning(one, view, TimeProvider.System)).RunAsync());
        if (arguments.GetValue(s_all))
        {
            string folder = arguments.GetValue(s_output)?.FullName ?? Path.Combine(Programs.Root, "tuner/results/full");
            OutputCheck.RequireFolder(folder);
            string? only = arguments.GetValue(s_only);
            Interruption.Keep = () => Console.Error.WriteLine($"The finished slices are in {folder}; run the command again to measure the others.");
            await new FullComparison(options, folder, TuneAsync).RunAsync(BaselinePair.Parse(only), again: only is not null).ConfigureAwait(false);
            return 0;
        }

        string output = arguments.GetValue(s_output)?.FullName ?? Path.GetFullPath("larder-tune");
        bool isBrief = arguments.GetValue(s_brief);
        OutputCheck.RequireFolder(output);
        Interruption.Keep = () => RunOutput.WriteIncomplete(underWay?.SoFar() ?? [], output, isBrief);
        IReadOnlyList<TuneRun> runs = await TuneAsync(options).ConfigureAwait(false);
        Interruption.Keep = null;
        RunOutput.Write(runs, output, isBrief);
        return ExitCodeOf(runs);
    }

    private static int ExitCodeOf(IReadOnlyList<TuneRun> runs)
    {
        if (runs.Any(run => run.Proved is null))
        {
            return 3;
        }

        return runs.All(run => run.Assertions.All(assertion => assertion.Held)) ? 0 : 1;
    }

    private static TuneOptions Read(ParseResult arguments)
    {
        ServerAddress? server = arguments.GetValue(s_server) is { } address ? ServerAddress.Parse(address, s_server.Name) : null;
        var options = new TuneOptions
        {
            Client = CommandLine.OneOf(arguments.GetValue(s_client)!, "--client", Agents.Clients),
            Targets = [.. CommandLine.List(arguments.GetValue(s_target)!).Select(TargetText.Parse).OrderBy(target => target.LimitUs)],
            Transport = CommandLine.OneOf(arguments.GetValue(s_transport)!, "--transport", "auto", "pipeline", "unary"),
            Channels = arguments.GetValue(s_channels) is { } channels ? [.. CommandLine.List(channels).Select(ChannelsOf).Order().Distinct()] : [null],
            Peers = [.. (arguments.GetValue(s_peer) ?? []).Select(peer => CommandLine.OneOf(peer, "--peer", Agents.Peers))],
            Workload = Workload.Parse(arguments.GetValue(s_workload)!),
            Server = server?.Endpoint,
            UseTls = server?.UseTls ?? false,
            Console = arguments.GetValue(s_console) is { } console ? ServerAddress.ParseConsole(console, s_console.Name) : null,
            Token = ServerAddress.TokenFor(server),
            Configuration = CommandLine.OneOf(arguments.GetValue(s_configuration)!, "--configuration", Agents.Configurations),
            Delay = arguments.GetValue(s_delay) is { } delay ? DelayText.Parse(delay) : null,
            Passes = arguments.GetValue(s_rounds),
            Seconds = arguments.GetValue(s_seconds),
            Budget =
                arguments.GetValue(s_budget) is { } budget ? DurationText.Parse(budget, "--budget")
                : arguments.GetValue(s_all) ? FullComparison.PairBudget
                : TuneOptions.UsualBudget,
            Most = arguments.GetValue(s_most),
            CompareChannels = arguments.GetValue(s_compareChannels),
            Adaptive = arguments.GetValue(s_adaptive) ?? !arguments.GetValue(s_all),
            Assertions = [.. (arguments.GetValue(s_assert) ?? []).Select(RunAssertion.Parse)],
            NoiseLimit = arguments.GetValue(s_noise),
            Command = CommandLine.Typed(s_output.Name),
        };
        Check(
            options.Targets.Count > 0 && options.Targets.Select(target => target.Quantile).Distinct().Count() == 1,
            "all values of --target must use the same quantile");
        Check(options.Passes is >= 1 and <= 20, "--rounds must be 1 to 20");
        Check(options.Seconds is null or (>= 0.1 and <= 600), "--seconds must be 0.1 to 600");
        TuneOptions measured = arguments.GetValue(s_all) ? options with { Targets = BaselinePair.Targets, Peers = [BaselinePair.All[0].Peer] } : options;
        Check(
            options.Seconds is not null || options.Budget >= measured.MinBudget,
            $"--budget {DurationText.Of(options.Budget)} is too short; this run needs at least {DurationText.Of(measured.MinBudget)}");
        Check(options.Most is >= 1 and <= 100_000, "--most must be 1 to 100,000");
        Check(options.NoiseLimit > 0, "--noise-limit must be greater than 0");
        return options;
    }

    private static int? ChannelsOf(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int channels) && channels is >= 1 and <= 100
            ? channels
            : throw new FormatException($"--channels must be numbers from 1 to 100, comma-separated, but is \"{text}\"");

    private static void Check(bool holds, string rule)
    {
        if (!holds)
        {
            throw new FormatException(rule);
        }
    }
}
