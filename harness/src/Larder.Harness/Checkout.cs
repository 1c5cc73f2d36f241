namespace Larder.Harness;

/// <summary>The repository in which this program was built.</summary>
public static class Checkout
{
    private const string Mark = "Larder.slnx";

    private static readonly Lazy<string> s_root = new(() => Find(AppContext.BaseDirectory));

    /// <summary>Gets the build configuration of this program. The other programs of the repository must be built in the same configuration.</summary>
    public static string Configuration { get; } = AppContext.BaseDirectory.Contains("/Debug/", StringComparison.Ordinal) ? "Debug" : "Release";

    /// <summary>Gets the folder that contains <c>Larder.slnx</c>.</summary>
    /// <exception cref="HarnessException">No folder above this program contains it.</exception>
    public static string Root => s_root.Value;

    /// <summary>Gets the path of the server's assembly.</summary>
    public static string Server => Program("server/src/Larder.Server", "larder-server");

    /// <summary>Returns the full path of a file or folder. <paramref name="path"/> is relative to the root of the repository.</summary>
    public static string At(string path) => Path.Combine(Root, path);

    /// <summary>Returns the text of a file. <paramref name="path"/> is relative to the root of the repository.</summary>
    public static string Read(string path) => File.ReadAllText(At(path));

    /// <summary>
    /// Returns the path of the assembly of a .NET program. <paramref name="project"/> is the folder of its project, relative to the root of the repository. If
    /// <paramref name="name"/> is null, the assembly has the name of this folder.
    /// </summary>
    /// <exception cref="HarnessException">The program is not built.</exception>
    public static string Program(string project, string? name = null)
    {
        string path = At(Path.Combine(project, "bin", Configuration, "net10.0", (name ?? Path.GetFileName(project)) + ".dll"));
        return File.Exists(path)
            ? path
            : throw new HarnessException($"{path} is not built; run `dotnet build -c {Configuration} {project}`, or use ./larder, which builds it");
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

        throw new HarnessException($"no folder above {start} contains {Mark}; run this in a checkout of Larder");
    }
}
