using Larder.Harness;
using Larder.Harness.Servers;

namespace Larder.Tuner.Processes;

/// <summary>
/// Locates Larder's programs. In the repository, they are built in the same configuration as the tuner. In the installed tool <c>larder</c>, they are in the
/// folder of the tuner, and only the .NET programs are present.
/// </summary>
internal static class Programs
{
    // The main program of the installed tool. It calls the tuner.
    private const string Tool = "larder.dll";

    /// <summary>Gets whether this program is the installed tool.</summary>
    public static bool IsInstalled { get; } = File.Exists(Beside(Tool));

    /// <summary>Gets the command that a user types to run this program.</summary>
    public static string Launcher => IsInstalled ? "larder" : "./larder";

    /// <summary>Gets the folder that contains <c>Larder.slnx</c>.</summary>
    /// <exception cref="TunerException">The program is the installed tool, which has no repository.</exception>
    public static string Root
    {
        get
        {
            RequireTree();
            return Checkout.Root;
        }
    }

    /// <summary>Gets the working folder for .NET programs: the repository, or the tool's own folder.</summary>
    public static string Folder => IsInstalled ? AppContext.BaseDirectory : Root;

    /// <summary>Gets the path of the server.</summary>
    public static string Server => Built("server/src/Larder.Server", "larder-server");

    /// <summary>Gets the path of the .NET client's agent.</summary>
    public static string DotnetAgent => Built("clients/dotnet/agent", "Larder.Agent");

    /// <summary>Gets the path of the peers' agents.</summary>
    public static string Peers => Built("tuner/src/Larder.Tuner.Peers", "Larder.Tuner.Peers");

    /// <summary>Gets the path of the servers of other libraries. They exist only in the repository.</summary>
    /// <exception cref="TunerException">The program is the installed tool, which has no repository.</exception>
    public static string PeerServers
    {
        get
        {
            RequireTree();
            return Checkout.Program("tuner/src/Larder.Tuner.PeerServers", "Larder.Tuner.PeerServers");
        }
    }

    /// <summary>Returns the options of a Larder server with 1 GiB of memory and additional arguments.</summary>
    public static ServerProcessOptions Larder(params string[] more) => new() { Program = Server, Memory = "1g", Arguments = more };

    /// <summary>Throws if the repository is not available.</summary>
    /// <exception cref="TunerException">The program is the installed tool, which has no repository.</exception>
    public static void RequireTree()
    {
        if (IsInstalled)
        {
            throw new TunerException(
                "this command needs a checkout of Larder, because the installed tool does not contain the Python and Node clients and cannot start a fleet; "
                    + "run ./larder in the checkout");
        }
    }

    private static string Built(string project, string name) => IsInstalled ? Beside(name + ".dll") : Checkout.Program(project, name);

    private static string Beside(string name) => Path.Combine(AppContext.BaseDirectory, name);
}
