namespace Larder.Harness;

/// <summary>The tree that this program was built in.</summary>
public static class Checkout
{
    private const string Mark = "Larder.slnx";

    private static readonly Lazy<string> s_root = new(() => Find(AppContext.BaseDirectory));

    /// <summary>How this program was built; others of the tree are looked for in the same configuration.</summary>
    public static string Configuration { get; } = AppContext.BaseDirectory.Contains("/Debug/", StringComparison.Ordinal) ? "Debug" : "Release";

    /// <summary>The folder that holds <c>Larder.slnx</c>.</summary>
    /// <exception cref="HarnessException">There is none above this program.</exception>
    public static string Root => s_root.Value;

    /// <summary>The server's program.</summary>
    public static string Server => Program("server/src/Larder.Server", "larder-server");

    /// <summary>A file or folder, by its path from the root.</summary>
    public static string At(string path) => Path.Combine(Root, path);

    /// <summary>A file's text, by its path from the root.</summary>
    public static string Read(string path) => File.ReadAllText(At(path));

    /// <summary>The assembly of a program of .NET, by its project's folder; <paramref name="name"/>: null for that of the folder.</summary>
    /// <exception cref="HarnessException">It is not built.</exception>
    public static string Program(string project, string? name = null)
    {
        string path = At(Path.Combine(project, "bin", Configuration, "net10.0", (name ?? Path.GetFileName(project)) + ".dll"));
        return File.Exists(path)
            ? path
            : throw new HarnessException($"{path} is not built: run `dotnet build -c {Configuration} {project}`, or use ./larder, which builds what it needs");
    }

    private static string Find(string start)
    {
        for (var folder = new DirectoryInfo(start); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, Mark)))
            {
                return folder.FullName;
            }
        }

        throw new HarnessException($"no folder above {start} holds {Mark}: run this from its tree");
    }
}
