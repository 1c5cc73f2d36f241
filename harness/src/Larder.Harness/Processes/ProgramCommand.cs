namespace Larder.Harness.Processes;

/// <summary>How a program is started.</summary>
/// <param name="Name">What messages call it.</param>
/// <param name="Program">Its file, or a name that the system's path finds.</param>
/// <param name="Arguments">The words after it.</param>
public sealed record ProgramCommand(string Name, string Program, params IReadOnlyList<string> Arguments)
{
    /// <summary>The folder that it runs in; empty: where this program runs.</summary>
    public string Folder { get; init; } = "";

    /// <summary>Variables that it has beside this program's own; null takes one away.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>How long after SIGTERM it may take to end before it is made to.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>A program of .NET, by its assembly.</summary>
    public static ProgramCommand Dotnet(string name, string assembly, params string[] arguments) => new(name, "dotnet", [assembly, .. arguments]);
}
