using Larder.Harness.Processes;

namespace Larder.Harness.Servers;

/// <summary>How <c>larder serve</c> is started; each default is what most who start one want.</summary>
public sealed record LarderServerOptions
{
    /// <summary>The server's assembly; null: that of this tree.</summary>
    public string? Program { get; init; }

    /// <summary>The port of calls; 0: a free one.</summary>
    public int Port { get; init; }

    /// <summary>The most memory for items, as <c>--memory</c> takes it.</summary>
    public string Memory { get; init; } = "64m";

    /// <summary>What runs the assembly and its words: a command that ends as <c>dotnet</c> does.</summary>
    public IReadOnlyList<string> Runner { get; init; } = ["dotnet"];

    /// <summary>Variables, beside this program's own.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>More words.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The command.</summary>
    internal ProgramCommand Command()
    {
        string[] console = Arguments.Contains("--console-port") ? [] : ["--console-port", "0"];
        string[] words = [Program ?? Checkout.Server, "--port", $"{Port}", .. console, "--memory", Memory, .. Arguments];
        return new ProgramCommand("the server", Runner[0], [.. Runner.Skip(1), .. words]) { Environment = Environment };
    }
}
