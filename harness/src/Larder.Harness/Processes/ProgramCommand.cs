namespace Larder.Harness.Processes;

/// <summary>The command that starts a program.</summary>
/// <param name="Name">The name of the program in messages.</param>
/// <param name="Program">The path of the program, or a name that is found through PATH.</param>
/// <param name="Arguments">The arguments.</param>
public sealed record ProgramCommand(string Name, string Program, params IReadOnlyList<string> Arguments)
{
    /// <summary>Gets the working directory; empty for the working directory of this program.</summary>
    public string Folder { get; init; } = "";

    /// <summary>Gets environment variables in addition to those of this program; null removes a variable.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>Gets the time after SIGTERM before the program is killed. The default is 5 s.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Returns the command that runs a .NET program. <paramref name="assembly"/> is the path of its assembly.</summary>
    public static ProgramCommand Dotnet(string name, string assembly, params string[] arguments) => new(name, "dotnet", [assembly, .. arguments]);
}
