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

/// <summary>The command <c>larder tune</c>: finds the number of calls per second that meets a target, and the concurrency limit for it.</summary>
internal static class TuneCommand
{
    private const string Codes =
        "Exit codes: 0 done; 1 an assertion does not hold; 2 the command is wrong; 3 no answer: no scheduled rate keeps the target; 4 something needed is "
            + "missing or failed; 130 interrupted.";

    private static readonly Option<string> s_client = new("--client") { Description = "dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
    private static readonly Option<string> s_target = new("--target")
    {
        Description = "Latency that will do: p50, p90, p99 or p999, =, and a duration; more with commas.",
        DefaultValueFactory = _ => "p999=5ms",
    };
    private static readonly Option<string> s_transport = new("--transport") { Description = "auto, pipeline or unary.", DefaultValueFactory = _ => "auto" };
    private static readonly Option<string?> s_channels = new("--channels")
    {
        Description = "Least numbers of channels to try, with commas: 1,2. Default the configuration's own.",
    };
    private static readonly Option<string[]> s_peer = new("--peer")
    {
        Description =
            "A peer to measure alternately: redis, httpclient, redis-py, grpcio, ioredis, node-redis, valkey-glide, grpc-js or momento. May be repeated.",
    };
    private static readonly Option<string> s_workload = new("--workload")
    {
        Description =
            "reference (100-byte values, 1,000 keys, half gets), production (Zipf, 90 % gets, sizes to 100 KB), a JSON file, or a trace to replay (CSV).",
        DefaultValueFactory = _ => "reference",
    };
    private static readonly Option<string?> s_server = new("--server")
    {
        Description = "A server that runs already: http[s]://[token@]host[:port], or host:port; the token also from LARDER_TOKEN. Without it one is started.",
    };
    private static readonly Option<string?> s_console = new("--console") { Description = "host:port of that server's console, for its own latency and CPU." };
    private static readonly Option<string> s_configuration = new("--configuration")
    {
        Description = "Configuration to start from: laptop, inRegion.default, inRegion.lowLatency or lambda.",
        DefaultValueFactory = _ => "laptop",
    };
    private static readonly Option<string?> s_delay = new("--delay")
    {
        Description = "A network to put between, there and back: 1ms, or 30ms+5ms with jitter.",
    };
    private static readonly Option<int> s_rounds = new("--rounds")
    {
        Description = "Passes over the rungs, 1 to 20; medians decide.",
        DefaultValueFactory = _ => 3,
    };
    private static readonly Option<double?> s_seconds = new("--seconds")
    {
        Description = "Measured seconds of each round, 0.1 to 600. Default: an even part of the budget.",
    };
    private static readonly Option<string?> s_budget = new("--budget")
    {
        Description = "What the whole run may take, 40s to 3600s, more with several targets, channels or peers; with --all, what each slice may. Default "
            + "165s, with --all 300s.",
    };
    private static readonly Option<int> s_most = new("--most")
    {
        Description = "The largest concurrency to try, 1 to 100,000.",
        DefaultValueFactory = _ => 5000,
    };
    private static readonly Option<bool> s_compareChannels = new("--compare-channels")
    {
        Description = "Compare 1, 2, 5 and 10 channels, at the knee and with 5,000 callers; in Python on uvloop and without.",
    };
    private static readonly Option<bool?> s_adaptive = new("--adaptive")
    {
        Description = "Compare the client's adaptive cap with the knee. Default true, with --all false: it takes an eighth of the budget, 18 s at least.",
    };
    private static readonly Option<string[]> s_assert = new("--assert")
    {
        Description = "What must hold: rate>=10000 (the proved rate), p999<20ms (of its confirmation), throughput>10000 (at the closed loop's knee). May be "
            + "repeated.",
    };
    private static readonly Option<double> s_noise = new("--noise-limit")
    {
        Description = "Processors that other programs may use before a round is repeated.",
        DefaultValueFactory = _ => 0.1,
    };
    private static readonly Option<bool> s_all = new("--all")
    {
        Description =
            "The full comparison: three languages, both transports, their peers, at p99.9 < 5 ms and < 20 ms. Each slice is stored when it is done; what is "
                + "stored is not measured again.",
    };
    private static readonly Option<string?> s_only = new("--only")
    {
        Description = "With --all: only these slices, stored or not: dotnet/pipeline, python/unary … with commas.",
    };
    private static readonly Option<bool> s_brief = new("--brief")
    {
        Description = "Write a small JSON, without timeline and curves, and Markdown only: for committing.",
    };
    private static readonly Option<DirectoryInfo?> s_output = new("--output")
    {
        Description = "Folder to write the run to. Default larder-tune in the current folder.",
    };

    public static Command Create()
    {
        var command = new Command("tune", $"Find the highest rate that keeps a target on a schedule, and the cap to run with. {Codes}")
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
            Interruption.Keep = () => Console.Error.WriteLine($"The slices that were finished are in {folder}; run the command again to measure the others.");
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
            "--target takes one or more limits of the same quantile");
        Check(options.Passes is >= 1 and <= 20, "--rounds is 1 to 20");
        Check(options.Seconds is null or (>= 0.1 and <= 600), "--seconds is 0.1 to 600");
        TuneOptions measured = arguments.GetValue(s_all) ? options with { Targets = BaselinePair.Targets, Peers = [BaselinePair.All[0].Peer] } : options;
        Check(
            options.Seconds is not null || options.Budget >= measured.LeastBudget,
            $"--budget {DurationText.Of(options.Budget)} is too short: this run takes at least {DurationText.Of(measured.LeastBudget)}; pass at least that");
        Check(options.Most is >= 1 and <= 100_000, "--most is 1 to 100,000");
        Check(options.NoiseLimit > 0, "--noise-limit is above 0");
        return options;
    }

    private static int? ChannelsOf(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int channels) && channels is >= 1 and <= 100
            ? channels
            : throw new FormatException($"--channels are numbers from 1 to 100, with commas; not \"{text}\"");

    private static void Check(bool holds, string rule)
    {
        if (!holds)
        {
            throw new FormatException(rule);
        }
    }
}
