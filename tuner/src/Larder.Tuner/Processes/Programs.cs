namespace Larder.Tuner.Processes;

/// <summary>
/// Where Larder's programs are: in the tree, built in the same configuration as the tuner itself; or beside it, where it is installed as the tool
/// <c>larder</c>, which has those of .NET.
/// </summary>
internal static class Programs
{
    // The tool's own program, which routes to the tuner.
    private const string Tool = "larder.dll";

    private static readonly Lazy<string> s_root = new(FindRoot);
    private static readonly string s_configuration = AppContext.BaseDirectory.Contains("/Debug/", StringComparison.Ordinal) ? "Debug" : "Release";

    /// <summary>Whether this is the installed tool.</summary>
    public static bool IsInstalled { get; } = File.Exists(Beside(Tool));

    /// <summary>What a user types.</summary>
    public static string Launcher => IsInstalled ? "larder" : "./larder";

    /// <summary>The folder that holds <c>Larder.slnx</c>.</summary>
    /// <exception cref="TunerException">This is the installed tool, which has none.</exception>
    public static string Root => s_root.Value;

    /// <summary>Where programs of .NET are started: the tree, or the tool's own folder.</summary>
    public static string Folder => IsInstalled ? AppContext.BaseDirectory : Root;

    /// <summary>The server's program.</summary>
    public static string Server => Built("server/src/Larder.Server", "larder-server");

    /// <summary>The .NET client's agent.</summary>
    public static string DotnetAgent => Built("clients/dotnet/agent", "Larder.Agent");

    /// <summary>The peers' agents.</summary>
    public static string Peers => Built("tuner/src/Larder.Tuner.Peers", "Larder.Tuner.Peers");

    private static string Built(string project, string name)
    {
        string path = IsInstalled ? Beside(name + ".dll") : Path.Combine(Root, project, "bin", s_configuration, "net10.0", name + ".dll");
        return File.Exists(path)
            ? path
            : throw new TunerException($"{path} is not built: run `dotnet build -c {s_configuration} {project}`, or use ./larder, which builds what it needs");
    }

    private static string Beside(string name) => Path.Combine(AppContext.BaseDirectory, name);

    private static string FindRoot()
    {
        if (IsInstalled)
        {
            throw new TunerException("this needs Larder's repository (Python's and Node's clients and fleets are not in the tool): there it is ./larder");
        }

        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Larder.slnx")))
            {
                return folder.FullName;
            }
        }

        throw new TunerException($"no folder above {AppContext.BaseDirectory} holds Larder.slnx: run the tuner from its tree");
    }
}
