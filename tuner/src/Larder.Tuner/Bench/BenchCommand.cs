using System.CommandLine;
using Larder.Report.Runs;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>The command <c>larder bench</c>: a sweep over numbers of callers, optionally compared with peers.</summary>
internal static class BenchCommand
{
    private const string Memory = "memory";

    private static readonly Option<string> s_inFlight = new("--in-flight")
    {
        Description = "Number of callers in each step, comma-separated: N, or N@LIMIT to set the concurrency limit of the step (a number, off or default). "
            + "Without @LIMIT, --limit applies. If neither is given, the limit is N.",
        DefaultValueFactory = _ => "1,5,25,50,100,200,500,1000,5000@default",
    };

    private static readonly Option<string> s_client = new("--client")
    {
        Description = "Clients, comma-separated: dotnet, python, node.",
        DefaultValueFactory = _ => "dotnet",
    };
    private static readonly Option<string> s_transport = new("--transport")
    {
        Description = "Transports, comma-separated: unary, pipeline, auto.",
        DefaultValueFactory = _ => "auto",
    };
    private static readonly Option<string[]> s_peer = new("--peer")
    {
        Description =
            "Other library to measure alternately with the clients; repeatable. For .NET: redis (StackExchange.Redis), garnet (the same client with Garnet), "
                + "grpc-dotnet (Grpc.Net.Client), grpc-aspnetcore (the same client with a Grpc.AspNetCore server) or floor (bare sockets). "
                + "For Python: redis-py or grpcio. For Node: ioredis, node-redis, valkey-glide, memjs (memcached) or momento. "
                + $"With --store {Field.ClusterStore}, also {Field.ClusterStore}: each language's Redis Cluster client without the gateway.",
    };
    private static readonly Option<string> s_store = new("--store")
    {
        Description = $"{Field.ClusterStore} starts a Redis Cluster of three masters and a gateway; memory starts a server that keeps its items in memory.",
        DefaultValueFactory = _ => Memory,
    };
    private static readonly Option<bool> s_tls = new("--tls")
    {
        Description = "Measure each client with TLS and without TLS in the same run. The peers redis, grpc-dotnet and grpcio use TLS. The command starts its "
            + "own servers.",
    };
    private static readonly Option<DirectoryInfo?> s_before = new("--before")
    {
        Description = "Folder of another built checkout. Its server and clients are measured alternately with those of this checkout. If --tls is also "
            + "passed, the other checkout uses TLS.",
    };
    private static readonly Option<FileInfo?> s_otherServer = new("--other-server")
    {
        Description = "Path of another server program: an executable file such as the native program larder, or the larder-server.dll of another build. The "
            + "same clients measure it alternately with the server of this checkout. If --tls is also passed, the other server uses TLS.",
    };
    private static readonly Option<string> s_workload = new("--workload")
    {
        Description = "Workload: reference (100-byte values, 1,000 hot keys, half gets) or production (Zipf, 90 % gets, sizes up to 100 KB). The .NET "
            + "client and the peer redis also support workloads on ten collections of 1,000 elements: fields (half gets), queues (pushes and pops) and ranks "
            + "(score changes and rank reads).",
        DefaultValueFactory = _ => "reference",
    };
    private static readonly Option<int?> s_rounds = new("--rounds")
    {
        Description = "Rounds per step; results are medians. The default is 1, or 5 with --peer, --tls, --before or --other-server.",
    };
    private static readonly Option<double> s_seconds = new("--seconds") { Description = "Measured seconds per round.", DefaultValueFactory = _ => 2 };
    private static readonly Option<double> s_warmup = new("--warmup")
    {
        Description = "Warm-up seconds before each round.",
        DefaultValueFactory = _ => 1,
    };
    private static readonly Option<string?> s_cap = new("--limit")
    {
        Description = "Concurrency limit of every step: a number, off, or default (the limit of the configuration).",
    };
    private static readonly Option<string> s_configuration = new("--configuration")
    {
        Description = "Configuration: laptop, inRegion.default, inRegion.lowLatency or lambda.",
        DefaultValueFactory = _ => "laptop",
    };
    private static readonly Option<int?> s_channels = new("--channels") { Description = "Minimum number of channels." };

    private static readonly Option<int?> s_pipelineConnections =
        new("--pipeline-connections") { Description = "Number of pipelined connections of the .NET client. 0: by load." };

    private static readonly Option<string?> s_server = new("--server")
    {
        Description =
            "Address of a running server: http[s]://[token@]host[:port] or host:port; the token can also be in LARDER_TOKEN. By default, a server is "
                + "started on free "
                + "ports.",
    };
    private static readonly Option<string?> s_console = new("--console")
    {
        Description = "host:port of the server's console, to measure its latency, CPU and connections.",
    };
    private static readonly Option<double> s_noise = new("--noise-limit")
    {
        Description = "Maximum number of processors that other programs may use; above it, a round is rejected.",
        DefaultValueFactory = _ => 0.1,
    };
    private static readonly Option<bool> s_json = new("--json") { Description = "Print one JSON object per line instead of a table." };
    private static readonly Option<FileInfo?> s_output = new("--output")
    {
        Description = "Also write the table to this Markdown file, with machine, commit, date and command.",
    };
    private static readonly Option<string> s_title = new("--title") { Description = "Title of the Markdown file.", DefaultValueFactory = _ => "Sweep" };

    public static Command Create()
    {
        var command = new Command("bench", "Measures throughput and latency for a range of concurrent callers.")
        {
            s_client, s_transport, s_inFlight, s_cap, s_peer, s_workload, s_rounds, s_seconds, s_warmup, s_configuration,
            s_store, s_tls, s_before, s_otherServer, s_channels, s_pipelineConnections, s_server, s_console, s_noise, s_json, s_output, s_title,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => Read(arguments), options => MeasureAsync(
            options,
            arguments.GetValue(s_json),
            arguments.GetValue(s_output),
            arguments.GetValue(s_title)!)));
        return command;
    }

    /// <summary>Runs a sweep, shows the results, and writes them to a file if one is given.</summary>
    public static async Task<int> MeasureAsync(BenchOptions options, bool json, FileInfo? output, string title)
    {
        await using Field field = await Field.StartAsync(options).ConfigureAwait(false);
        TableView? table = json ? null : new TableView(() => field.PeerNames);
        IBenchView view = table is null ? new JsonView() : table;
        var sweep = new Sweep(options, field.Contenders, view);
        void Write(IReadOnlyList<BenchRow> rows, bool isComplete)
        {
            if (output is not null)
            {
                string typed = CommandLine.Typed(s_output.Name);
                string command = options.Before is { } other ? typed.Replace(other.Root, "CHECKOUT", StringComparison.Ordinal) : typed;
                string text = MarkdownReport.Of(title, command, options, ThisMachine.Fingerprint(), rows, field.PeerNames, isComplete);
                File.WriteAllText(output.FullName, text);
            }
        }

        Interruption.Keep = () =>
        {
            (IReadOnlyList<BenchRow> finished, IReadOnlyList<BenchRow> underWay) = sweep.SoFar();
            if (finished.Count + underWay.Count == 0)
            {
                Console.Error.WriteLine("Interrupted before anything was measured.");
                return;
            }

            view.OnInterrupted(finished, underWay);
            Write([.. finished, .. underWay], isComplete: false);
        };
        IReadOnlyList<BenchRow> rows = [];
        async Task MeasureAsync() => rows = await sweep.RunAsync().ConfigureAwait(false);
        await (table is null ? MeasureAsync() : table.ShowAsync(MeasureAsync, _ => null)).ConfigureAwait(false);
        Interruption.Keep = null;
        Write(rows, isComplete: true);
        return 0;
    }

    private static BenchOptions Read(ParseResult arguments)
    {
        string[] peers = arguments.GetValue(s_peer) ?? [];
        Cap? cap = arguments.GetValue(s_cap) is { } text ? Cap.Parse(text) : (Cap?)null;
        ServerAddress? server = arguments.GetValue(s_server) is { } address ? ServerAddress.Parse(address, s_server.Name) : null;
        string[] clients =
        [
            .. CommandLine.List(arguments.GetValue(s_client)!).Select(client => CommandLine.OneOf(client, "--client", Agents.Clients)),
        ];
        bool isFleet = CommandLine.OneOf(arguments.GetValue(s_store)!, s_store.Name, Memory, Field.ClusterStore) == Field.ClusterStore;
        if (isFleet && server is not null)
        {
            throw new FormatException($"{s_store.Name} {Field.ClusterStore} starts its own gateway and cannot be combined with {s_server.Name}");
        }

        bool isSecure = arguments.GetValue(s_tls);
        if (isSecure && (server is not null || isFleet || !peers.All(Agents.CanUseTls)))
        {
            throw new FormatException($"{s_tls.Name} cannot be combined with {s_server.Name}, {s_store.Name} or a {s_peer.Name} other than redis and grpcio");
        }

        foreach (Option other in (Option[])[s_before, s_otherServer])
        {
            if (arguments.GetResult(other) is not null && (server is not null || isFleet))
            {
                throw new FormatException($"{other.Name} cannot be combined with {s_server.Name} or {s_store.Name}");
            }
        }

        var options = new BenchOptions
        {
            BesidePlaintext = isSecure,
            Before = arguments.GetValue(s_before) is { } before ? OtherCheckout.Open(before.FullName) : null,
            OtherServer = arguments.GetValue(s_otherServer) is { } program ? Existing(program) : null,
            Rungs = Rung.ParseAll(arguments.GetValue(s_inFlight)!, cap),
            Clients = clients,
            Transports =
            [
                .. CommandLine
                    .List(arguments.GetValue(s_transport)!)
                    .Select(transport => CommandLine.OneOf(transport, "--transport", "unary", "pipeline", "auto")),
            ],
            Peers = [.. peers.SelectMany(peer => PeersOf(peer, clients, isFleet))],
            IsFleet = isFleet,
            Workload = CommandLine.OneOf(arguments.GetValue(s_workload)!, "--workload", "reference", "production", "fields", "queues", "ranks"),
            Rounds = arguments.GetValue(s_rounds) ?? (peers.Length > 0 || isSecure || IsComparison(arguments) ? 5 : 1),
            Seconds = arguments.GetValue(s_seconds),
            WarmupSeconds = arguments.GetValue(s_warmup),
            Configuration = CommandLine.OneOf(arguments.GetValue(s_configuration)!, "--configuration", Agents.Configurations),
            Channels = arguments.GetValue(s_channels),
            PipelineConnections = arguments.GetValue(s_pipelineConnections),
            Server = server?.Endpoint,
            UseTls = server?.UseTls ?? false,
            Console = arguments.GetValue(s_console) is { } console ? ServerAddress.ParseConsole(console, s_console.Name) : null,
            Token = ServerAddress.TokenFor(server),
            NoiseLimit = arguments.GetValue(s_noise),
        };
        if (options.Clients.Count == 0 || options.Transports.Count == 0)
        {
            throw new FormatException("--client and --transport must each have at least one value");
        }

        return options.Rounds is >= 1 and <= 100 && options.Seconds is >= 0.1 and <= 3600
            ? options
            : throw new FormatException("--rounds must be 1 to 100 and --seconds 0.1 to 3,600");
    }

    private static bool IsComparison(ParseResult arguments) => arguments.GetValue(s_before) is not null || arguments.GetValue(s_otherServer) is not null;

    private static string Existing(FileInfo program) => program.Exists
        ? program.FullName
        : throw new FormatException($"{s_otherServer.Name} must be the path of a server program, but {program} does not exist");

    // Returns the peers that one value of --peer selects. The value redis-cluster selects the cluster client for the language of each measured client.
    private static IEnumerable<string> PeersOf(string peer, string[] clients, bool isFleet) => peer != Field.ClusterStore
        ? [CommandLine.OneOf(peer, s_peer.Name, Agents.Peers)]
        : isFleet
            ? clients.Select(client => Agents.ClusterPeers[Array.IndexOf(Agents.Clients, client)])
            : throw new FormatException($"{s_peer.Name} {Field.ClusterStore} needs {s_store.Name} {Field.ClusterStore}");
}
