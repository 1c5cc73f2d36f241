namespace Larder.Conformance;

/// <summary>How an agent is started. <paramref name="Name"/> is printed beside its verdicts.</summary>
internal sealed record AgentCommand(string Name, string Program, IReadOnlyList<string> Arguments, string Folder)
{
    /// <summary>Parses "name=program argument …" (arguments parted by spaces), run in <paramref name="folder"/>.</summary>
    public static AgentCommand Parse(string text, string folder)
    {
        (string? name, string? command) = text.Split('=', 2) is [var first, var second] ? (first, second) : ("agent", text);
        string[] words = command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words.Length > 0
            ? new AgentCommand(name, words[0], words[1..], folder)
            : throw new ArgumentException($"--agent is name=command, not \"{text}\"");
    }

    /// <summary>The agents of this tree that are there (and, for .NET, built).</summary>
    public static IReadOnlyList<AgentCommand> Discover(string root)
    {
        var found = new List<AgentCommand>();
        if (Newest(Path.Combine(root, "clients/dotnet/agent"), "Larder.Agent.dll") is { } dll)
        {
            found.Add(new AgentCommand("dotnet", "dotnet", [dll], root));
        }

        if (File.Exists(Path.Combine(root, "clients/python/agent/__main__.py")))
        {
            found.Add(new AgentCommand("python", Python(root), ["-m", "agent"], Path.Combine(root, "clients/python")));
        }

        foreach (string entry in (string[])["agent/dist/main.js", "dist/agent/main.js", "agent/main.js"])
        {
            if (File.Exists(Path.Combine(root, "clients/node", entry)))
            {
                found.Add(new AgentCommand("node", "node", [entry], Path.Combine(root, "clients/node")));
                break;
            }
        }

        return found;
    }

    /// <summary>The most recently built file of a name below a project's bin folders, or null.</summary>
    public static string? Newest(string folder, string file) =>
        !Directory.Exists(folder) ? null : Directory
            .EnumerateFiles(folder, file, SearchOption.AllDirectories)
            .Where(path => path.Contains("/bin/", StringComparison.Ordinal) && !path.Contains("/ref/", StringComparison.Ordinal))
            .MaxBy(File.GetLastWriteTimeUtc);

    private static string Python(string root)
    {
        string own = Path.Combine(root, ".venv/bin/python");
        return File.Exists(own) ? own : "/usr/bin/python3";
    }
}
