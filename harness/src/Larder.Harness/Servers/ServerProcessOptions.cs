using Larder.Harness.Processes;

namespace Larder.Harness.Servers;

/// <summary>How <c>larder serve</c> is started; each default is what most who start one want.</summary>
public sealed record ServerProcessOptions
{
    /// <summary>The server's program; null: the assembly of this tree.</summary>
    public string? Program { get; init; }

    /// <summary>The port of calls; 0: one of <see cref="FreePorts"/>, on which it can be started again.</summary>
    public int Port { get; init; }

    /// <summary>The most memory for items, as <c>--memory</c> takes it; null: the server's own default.</summary>
    public string? Memory { get; init; } = "64m";

    /// <summary>What runs the program and its words: a command that ends as <c>dotnet</c> does; none where the program runs by itself.</summary>
    public IReadOnlyList<string> Runner { get; init; } = ["dotnet"];

    /// <summary>Variables, beside this program's own.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>More words.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The command.</summary>
    internal ProgramCommand Command()
    {
        string[] console = Arguments.Contains("--console-port") ? [] : ["--console-port", "0"];
        string[] memory = Memory is null ? [] : ["--memory", Memory];
        string[] words = [.. Runner, Program ?? Checkout.Server, "--port", $"{(Port == 0 ? FreePorts.Next() : Port)}", .. console, .. memory, .. Arguments];
        return new ProgramCommand("the server", words[0], words[1..]) { Environment = Environment };
    }
}
