using Larder.Harness.Processes;

namespace Larder.Harness.Agents;

/// <summary>The commands that start the agents of this repository's clients.</summary>
public static class AgentCommand
{
    private const string DotnetFolder = "clients/dotnet/agent";
    private const string PythonFolder = "clients/python";
    private const string NodeFolder = "clients/node";
    private const string NodeAgent = "dist/agent/main.js";

    /// <summary>Gets the names of the clients.</summary>
    public static IReadOnlyList<string> Clients { get; } = ["dotnet", "python", "node"];

    /// <summary>Returns the command of the named client's agent, followed by the given arguments.</summary>
    /// <exception cref="HarnessException">The client is unknown or not built.</exception>
    public static ProgramCommand Of(string client, params string[] more) => client switch
    {
        "dotnet" => Dotnet(Checkout.Program(DotnetFolder, "Larder.Agent"), more) with { Folder = Checkout.Root },
        "python" => new(client, Checkout.At("tools/python"), ["-m", "agent", .. more]) { Folder = Checkout.At(PythonFolder) },
        "node" when File.Exists(Checkout.At($"{NodeFolder}/{NodeAgent}")) => new(client, "node", [NodeAgent, .. more]) { Folder = Checkout.At(NodeFolder) },
        "node" => throw new HarnessException($"{NodeFolder}/{NodeAgent} is not built; run `npm ci && npm run build` in {NodeFolder}"),
        _ => throw new HarnessException($"unknown client \"{client}\"; use {string.Join(", ", Clients)}"),
    };

    /// <summary>Returns the commands of the agents that are built.</summary>
    public static IReadOnlyList<ProgramCommand> Built() => [.. Clients.Select(Find).OfType<ProgramCommand>()];

    /// <summary>Returns the command of a .NET agent outside the repository.</summary>
    public static ProgramCommand Dotnet(string assembly, params string[] more) => ProgramCommand.Dotnet("dotnet", assembly, more);

    private static ProgramCommand? Find(string client)
    {
        try
        {
            return Of(client);
        }
        catch (HarnessException)
        {
            return null;
        }
    }
}
