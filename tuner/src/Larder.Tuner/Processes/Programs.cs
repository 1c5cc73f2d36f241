namespace Larder.Tuner.Processes;

/// <summary>Where the tree's programs are, built in the same configuration as the tuner itself.</summary>
internal static class Programs
{
    private static readonly string s_configuration = AppContext.BaseDirectory.Contains("/Debug/", StringComparison.Ordinal) ? "Debug" : "Release";

    /// <summary>The folder that holds <c>Larder.slnx</c>.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>The server's program.</summary>
    public static string Server => Built("server/src/Larder.Server", "larder-server");

    /// <summary>The .NET client's agent.</summary>
    public static string DotnetAgent => Built("clients/dotnet/agent", "Larder.Agent");

    /// <summary>The peers' agents.</summary>
    public static string Peers => Built("tuner/src/Larder.Tuner.Peers", "Larder.Tuner.Peers");

    private static string Built(string project, string name)
    {
        string path = Path.Combine(Root, project, "bin", s_configuration, "net10.0", name + ".dll");
        return File.Exists(path)
            ? path
            : throw new TunerException($"{path} is not built: run `dotnet build -c {s_configuration} {project}`, or use ./larder, which builds what it needs");
    }

    private static string FindRoot()
    {
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
