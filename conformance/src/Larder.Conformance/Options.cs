using System.Globalization;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance;

internal sealed record Options
{
    public const string Usage = """
        conformance: runs the vectors against each client's agent over each transport.

          --server COMMAND        command that starts a server (default: the one built in this tree)
          --endpoint HOST:PORT    use a running server, started with --fault-injection
          --store NAME            where the server stores items: memory (default), redis, redis-cluster
          --agent NAME=COMMAND    an agent, repeatable (default: the built agents of this tree)
          --only NAME,…           run only these of the default agents
          --transport LIST        default unary,pipeline,near (the pipeline with a near cache); near-2: with two connections (.NET only)
          --rule PREFIX           only rules with this prefix (TTL, GET-3), repeatable
          --vectors FOLDER        default protocol/vectors
          --verbose               print each case
          --hostile-minutes M     instead of the vectors: measure each client's calls for M minutes while others call hostile servers
          --seed N                random seed of the hostile servers' responses (default: 1)
          --output FILE           also append the result as Markdown to this file
        """;

    /// <summary>The values of <see cref="Store"/>: the server's own memory, a single Redis server, and a cluster of three masters.</summary>
    public const string Memory = "memory", Redis = "redis", RedisCluster = "redis-cluster";

    public IReadOnlyList<string> Server { get; init; } = [];

    public string? Endpoint { get; init; }

    public string Store { get; init; } = Memory;

    public IReadOnlyList<ProgramCommand> Agents { get; init; } = [];

    public IReadOnlyList<string> Transports { get; init; } = [TransportMode.Unary, TransportMode.Pipeline, TransportMode.Near];

    public IReadOnlyList<string> Rules { get; init; } = [];

    public required string VectorsFolder { get; init; }

    public bool Verbose { get; init; }

    /// <summary>Gets the number of minutes for which each client is tested with hostile servers; null to run the vectors.</summary>
    public double? HostileMinutes { get; init; }

    /// <summary>Gets the seed of the hostile servers' answers. The seed of a round is this seed plus the number of the round.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Gets the file to which the result of the run with hostile servers is appended.</summary>
    public string? Output { get; init; }

    /// <summary>Returns whether a case must run. A case runs if its rule was requested and if the case applies to the store.</summary>
    public bool Wants(Case vector) => vector.AppliesToStore(Store) && WantsRule(vector.Rule);

    /// <summary>Returns whether a rule was requested.</summary>
    public bool WantsRule(string rule) =>
        Rules.Count == 0 || Rules.Any(wanted => rule == wanted || rule.StartsWith(wanted + "-", StringComparison.Ordinal));

    /// <summary>Parses the command line.</summary>
    /// <exception cref="ArgumentException">An argument is unknown or invalid.</exception>
    public static Options Parse(IReadOnlyList<string> arguments)
    {
        var options = new Options { VectorsFolder = Checkout.At("protocol/vectors") };
        HashSet<string>? only = null;
        for (int i = 0; i < arguments.Count; i++)
        {
            if (arguments[i] == "--verbose")
            {
                options = options with { Verbose = true };
                continue;
            }

            string name = arguments[i];
            string value = ++i < arguments.Count ? arguments[i] : throw new ArgumentException($"{name} needs a value");
            options = name switch
            {
                "--server" => options with { Server = value.Split(' ', StringSplitOptions.RemoveEmptyEntries) },
                "--store" => options with { Store = StoreOf(value) },
                "--endpoint" => options with { Endpoint = value },
                "--agent" => options with { Agents = [.. options.Agents, AgentOf(value)] },
                "--transport" => options with { Transports = TransportsOf(value) },
                "--rule" => options with { Rules = [.. options.Rules, value] },
                "--vectors" => options with { VectorsFolder = value },
                "--hostile-minutes" => options with { HostileMinutes = NumberOf(name, value) },
                "--seed" => options with { Seed = (int)NumberOf(name, value) },
                "--output" => options with { Output = value },
                "--only" => Only(value, out only, options),
                _ => throw new ArgumentException($"unknown option {name}"),
            };
        }

        return options with { Agents = Wanted(options, only), Server = ServerOf(options) };
    }

    private static string StoreOf(string value) => value is Memory or Redis or RedisCluster
        ? value
        : throw new ArgumentException($"--store must be {Memory}, {Redis} or {RedisCluster}");

    private static string[] TransportsOf(string value)
    {
        string[] transports = value.Split(',');
        return Array.Find(transports, static transport => !TransportMode.IsValid(transport)) is { } wrong
            ? throw new ArgumentException($"unknown transport \"{wrong}\"; pass unary, pipeline or near, or pipeline-N or near-N for N connections")
            : transports;
    }

    private static double NumberOf(string name, string value) =>
        double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && number is > 0 and < int.MaxValue
            ? number
            : throw new ArgumentException($"{name} must be a number above 0, but is \"{value}\"");

    // The format is "name=program argument …", separated by spaces.
    private static ProgramCommand AgentOf(string text)
    {
        (string name, string command) = text.Split('=', 2) is [var first, var second] ? (first, second) : ("agent", text);
        string[] words = command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words.Length > 0 ? new(name, words[0], words[1..]) : throw new ArgumentException($"--agent must be NAME=COMMAND, but is \"{text}\"");
    }

    private static Options Only(string value, out HashSet<string>? only, Options options)
    {
        only = [.. value.Split(',')];
        return options;
    }

    private static List<ProgramCommand> Wanted(Options options, HashSet<string>? only)
    {
        IReadOnlyList<ProgramCommand> agents = options.Agents.Count > 0 ? options.Agents : AgentCommand.Built();
        var wanted = agents.Where(agent => only is null || only.Contains(agent.Name)).ToList();
        return wanted.Count > 0 ? wanted : throw new ArgumentException("no agent to test; build the agents, correct --only, or pass --agent NAME=COMMAND");
    }

    private static IReadOnlyList<string> ServerOf(Options options)
    {
        try
        {
            return options.Server.Count > 0 || options.Endpoint is not null ? options.Server : ["dotnet", Checkout.Server];
        }
        catch (HarnessException)
        {
            throw new ArgumentException("the server is not built; build it, or pass --server or --endpoint");
        }
    }
}
