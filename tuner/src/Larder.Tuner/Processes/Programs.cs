using Larder.Harness;
using Larder.Harness.Servers;

namespace Larder.Tuner.Processes;

/// <summary>
/// Where Larder's programs are: in the tree, built in the same configuration as the tuner itself; or beside it, where it is installed as the tool
/// <c>larder</c>, which has those of .NET.
/// </summary>
internal static class Programs
{
    // The tool's own program, which routes to the tuner.
    private const string Tool = "larder.dll";

    /// <summary>Whether this is the installed tool.</summary>
    public static bool IsInstalled { get; } = File.Exists(Beside(Tool));

    /// <summary>What a user types.</summary>
    public static string Launcher => IsInstalled ? "larder" : "./larder";

    /// <summary>The folder that holds <c>Larder.slnx</c>.</summary>
    /// <exception cref="TunerException">This is the installed tool, which has none.</exception>
    public static string Root
    {
        get
        {
            RequireTree();
            return Checkout.Root;
        }
    }

    /// <summary>Where programs of .NET are started: the tree, or the tool's own folder.</summary>
    public static string Folder => IsInstalled ? AppContext.BaseDirectory : Root;

    /// <summary>The server's program.</summary>
    public static string Server => Built("server/src/Larder.Server", "larder-server");

    /// <summary>The .NET client's agent.</summary>
    public static string DotnetAgent => Built("clients/dotnet/agent", "Larder.Agent");

    /// <summary>The peers' agents.</summary>
    public static string Peers => Built("tuner/src/Larder.Tuner.Peers", "Larder.Tuner.Peers");

    /// <summary>Our server with 1 GiB of memory and more arguments.</summary>
    public static ServerProcessOptions Larder(params string[] more) => new() { Program = Server, Memory = "1g", Arguments = more };

    /// <summary>Asked for before what only the tree has.</summary>
    /// <exception cref="TunerException">This is the installed tool.</exception>
    public static void RequireTree()
    {
        if (IsInstalled)
        {
            throw new TunerException("this needs Larder's repository (Python's and Node's clients and fleets are not in the tool): there it is ./larder");
        }
    }

    private static string Built(string project, string name) => IsInstalled ? Beside(name + ".dll") : Checkout.Program(project, name);

    private static string Beside(string name) => Path.Combine(AppContext.BaseDirectory, name);
}
