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
        Description = "Callers of each rung: N, or N@CAP with a cap of its own (a number, off, default). The cap is N where neither --cap nor @ gives one.",
        DefaultValueFactory = _ => "1,5,25,50,100,200,500,1000,5000@default",
    };

    private static readonly Option<string> s_client = new("--client")
    {
        Description = "Clients, with commas: dotnet, python, node.",
        DefaultValueFactory = _ => "dotnet",
    };
    private static readonly Option<string> s_transport = new("--transport")
    {
        Description = "Transports of each, with commas: unary, pipeline, auto.",
        DefaultValueFactory = _ => "auto",
    };
    private static readonly Option<string[]> s_peer = new("--peer")
    {
        Description =
            "A peer to drive alternately in the same run: redis, httpclient or floor, the sockets alone (.NET), redis-py or grpcio (Python), ioredis, "
                + "node-redis, valkey-glide or momento (Node); "
                + $"with --store {Field.ClusterStore} also {Field.ClusterStore}: each language's client of Redis Cluster, straight to it. May be repeated.",
    };
    private static readonly Option<string> s_store = new("--store")
    {
        Description = $"{Field.ClusterStore}: the server is a gateway before a Redis Cluster of three masters, both started. memory: its own store.",
        DefaultValueFactory = _ => Memory,
    };
    private static readonly Option<bool> s_tls = new("--tls")
    {
        Description = "Drive each client over TLS and, in the same run, in plaintext; the peers redis and grpcio over TLS. The servers are started.",
    };
    private static readonly Option<DirectoryInfo?> s_before = new("--before")
    {
        Description = "Another checkout, built: its server and clients are driven in turn with this tree's, over TLS with --tls.",
    };
    private static readonly Option<string> s_workload = new("--workload")
    {
        Description = "reference (100-byte values, 1,000 hot keys, half gets), production (Zipf, 90 % gets, sizes to 100 KB); of .NET and its peer redis, on "
            + "ten collections of 1,000 elements: fields (half gets), queues (pushes and pops), ranks (puts and ranks).",
        DefaultValueFactory = _ => "reference",
    };
    private static readonly Option<int?> s_rounds = new("--rounds") { Description = "Rounds of each rung; medians are shown. Default 1, beside a peer 5." };
    private static readonly Option<double> s_seconds = new("--seconds") { Description = "Measured seconds of a round.", DefaultValueFactory = _ => 2 };
    private static readonly Option<double> s_warmup = new("--warmup")
    {
        Description = "Seconds before it that are not measured.",
        DefaultValueFactory = _ => 1,
    };
    private static readonly Option<string?> s_cap = new("--cap")
    {
        Description = "Cap on requests in flight for every rung: a number, off, or default (the configuration's).",
    };
    private static readonly Option<string> s_configuration = new("--configuration")
    {
        Description = "laptop, inRegion.default, inRegion.lowLatency or lambda.",
        DefaultValueFactory = _ => "laptop",
    };
    private static readonly Option<int?> s_channels = new("--channels") { Description = "Least number of channels." };
    private static readonly Option<string?> s_server = new("--server")
    {
        Description =
            "A server that runs already: http[s]://[token@]host[:port], or host:port; the token also from LARDER_TOKEN. Without it one is started on free "
                + "ports.",
    };
    private static readonly Option<string?> s_console = new("--console")
    {
        Description = "host:port of that server's console, for its own latency, CPU and connections.",
    };
    private static readonly Option<double> s_noise = new("--noise-limit")
    {
        Description = "Processors that other programs may use before a round is rejected.",
        DefaultValueFactory = _ => 0.1,
    };
    private static readonly Option<bool> s_json = new("--json") { Description = "One JSON object a line instead of the table." };
    private static readonly Option<FileInfo?> s_output = new("--output")
    {
        Description = "Write the table as Markdown, with machine, commit, date and command, to this file too.",
    };
    private static readonly Option<string> s_title = new("--title") { Description = "Title of that file.", DefaultValueFactory = _ => "Sweep" };

    public static Command Create()
    {
        var command = new Command("bench", "Measure throughput and latency over a range of concurrent callers.")
        {
            s_client, s_transport, s_inFlight, s_cap, s_peer, s_workload, s_rounds, s_seconds, s_warmup, s_configuration,
            s_store, s_tls, s_before, s_channels, s_server, s_console, s_noise, s_json, s_output, s_title,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => Read(arguments), options => MeasureAsync(
            options,
            arguments.GetValue(s_json),
            arguments.GetValue(s_output),
            arguments.GetValue(s_title)!)));
        return command;
    }

    /// <summary>Runs a sweep, shows it, and writes it to a file if one is given.</summary>
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
                Console.Error.WriteLine("Nothing was measured yet.");
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
            throw new FormatException($"{s_store.Name} {Field.ClusterStore} starts its own gateway: it does not go with {s_server.Name}");
        }

        bool isSecure = arguments.GetValue(s_tls);
        if (isSecure && (server is not null || isFleet || !peers.All(Agents.CanUseTls)))
        {
            throw new FormatException($"{s_tls.Name} goes with no {s_server.Name}, no {s_store.Name} and no {s_peer.Name} but redis and grpcio");
        }

        if (arguments.GetValue(s_before) is not null && (server is not null || isFleet))
        {
            throw new FormatException($"{s_before.Name} goes with no {s_server.Name} and no {s_store.Name}");
        }

        var options = new BenchOptions
        {
            BesidePlaintext = isSecure,
            Before = arguments.GetValue(s_before) is { } before ? OtherCheckout.Open(before.FullName) : null,
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
            Rounds = arguments.GetValue(s_rounds) ?? (peers.Length > 0 || isSecure || arguments.GetValue(s_before) is not null ? 5 : 1),
            Seconds = arguments.GetValue(s_seconds),
            WarmupSeconds = arguments.GetValue(s_warmup),
            Configuration = CommandLine.OneOf(arguments.GetValue(s_configuration)!, "--configuration", Agents.Configurations),
            Channels = arguments.GetValue(s_channels),
            Server = server?.Endpoint,
            UseTls = server?.UseTls ?? false,
            Console = arguments.GetValue(s_console) is { } console ? ServerAddress.ParseConsole(console, s_console.Name) : null,
            Token = ServerAddress.TokenFor(server),
            NoiseLimit = arguments.GetValue(s_noise),
        };
        if (options.Clients.Count == 0 || options.Transports.Count == 0)
        {
            throw new FormatException("--client and --transport name at least one each");
        }

        return options.Rounds is >= 1 and <= 100 && options.Seconds is >= 0.1 and <= 3600
            ? options
            : throw new FormatException("--rounds is 1 to 100, --seconds 0.1 to 3,600");
    }

    // The option's value stands for the cluster client of each measured language.
    private static IEnumerable<string> PeersOf(string peer, string[] clients, bool isFleet) => peer != Field.ClusterStore
        ? [CommandLine.OneOf(peer, s_peer.Name, Agents.Peers)]
        : isFleet
            ? clients.Select(client => Agents.ClusterPeers[Array.IndexOf(Agents.Clients, client)])
            : throw new FormatException($"{s_peer.Name} {Field.ClusterStore} needs {s_store.Name} {Field.ClusterStore}");
}
