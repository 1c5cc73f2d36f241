namespace Larder.Conformance;

/// <summary>The command line.</summary>
internal sealed record Options
{
    public const string Usage = """
        conformance: feeds the vectors to each client's agent over each transport.

          --server COMMAND        how to start a server (default: the one built in this tree)
          --endpoint HOST:PORT    use a running server instead, started with --fault-injection
          --store NAME            where the server has its items: memory (default), redis, redis-cluster
          --agent NAME=COMMAND    an agent, repeatable (default: those of this tree that are built)
          --only NAME,…           of the default agents, these
          --transport LIST        default unary,pipeline
          --rule PREFIX           only rules that begin so (TTL, GET-3), repeatable
          --vectors FOLDER        default protocol/vectors
          --verbose               print each case
        """;

    public IReadOnlyList<string> Server { get; init; } = [];

    public string? Endpoint { get; init; }

    public string Store { get; init; } = "memory";

    public IReadOnlyList<AgentCommand> Agents { get; init; } = [];

    public IReadOnlyList<string> Transports { get; init; } = ["unary", "pipeline"];

    public IReadOnlyList<string> Rules { get; init; } = [];

    public required string VectorsFolder { get; init; }

    public bool Verbose { get; init; }

    /// <summary>Whether a case's rule was asked for, and it has a meaning on the store.</summary>
    public bool Wants(Case vector) => vector.AppliesToStore(Store) && WantsRule(vector.Rule);

    /// <summary>Whether a rule was asked for.</summary>
    public bool WantsRule(string rule) =>
        Rules.Count == 0 || Rules.Any(wanted => rule == wanted || rule.StartsWith(wanted + "-", StringComparison.Ordinal));

    /// <summary>Throws ArgumentException for what it does not know.</summary>
    public static Options Parse(IReadOnlyList<string> arguments, string root)
    {
        var options = new Options { VectorsFolder = Path.Combine(root, "protocol/vectors") };
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
                "--agent" => options with { Agents = [.. options.Agents, AgentCommand.Parse(value, Environment.CurrentDirectory)] },
                "--transport" => options with { Transports = value.Split(',') },
                "--rule" => options with { Rules = [.. options.Rules, value] },
                "--vectors" => options with { VectorsFolder = value },
                "--only" => Only(value, out only, options),
                _ => throw new ArgumentException($"unknown option {name}"),
            };
        }

        return options with { Agents = Agent(options, root, only), Server = ServerOf(options, root) };
    }

    private static string StoreOf(string value) => StoreServers.Names.Contains(value)
        ? value
        : throw new ArgumentException($"--store is one of {string.Join(", ", StoreServers.Names)}");

    private static Options Only(string value, out HashSet<string>? only, Options options)
    {
        only = [.. value.Split(',')];
        return options;
    }

    private static List<AgentCommand> Agent(Options options, string root, HashSet<string>? only)
    {
        IReadOnlyList<AgentCommand> agents = options.Agents.Count > 0 ? options.Agents : AgentCommand.Discover(root);
        var wanted = agents.Where(agent => only is null || only.Contains(agent.Name)).ToList();
        return wanted.Count > 0 ? wanted : throw new ArgumentException("no agent is built; name one with --agent");
    }

    private static IReadOnlyList<string> ServerOf(Options options, string root) =>
        options.Server.Count > 0 || options.Endpoint is not null ? options.Server
            : AgentCommand.Newest(Path.Combine(root, "server/src/Larder.Server"), "larder-server.dll") is { } dll ? ["dotnet", dll]
            : throw new ArgumentException("no server is built; name one with --server or --endpoint");
}
