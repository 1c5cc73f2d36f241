using Larder.Harness.Processes;

namespace Larder.Harness.Servers;

/// <summary>The options with which <c>larder serve</c> is started. The defaults suit most tests.</summary>
public sealed record ServerProcessOptions
{
    /// <summary>Gets the path of the server program; null for the assembly of this repository.</summary>
    public string? Program { get; init; }

    /// <summary>Gets the port for calls; 0 for a port of <see cref="FreePorts"/>. The server can be restarted on such a port.</summary>
    public int Port { get; init; }

    /// <summary>Gets the memory limit for items, in the format of <c>--memory</c>; null for the server's own default.</summary>
    public string? Memory { get; init; } = "64m";

    /// <summary>
    /// Gets the words that precede the program's path on the command line. This command must run <c>dotnet</c> with the words that follow. Empty if the program
    /// is an executable file.
    /// </summary>
    public IReadOnlyList<string> Runner { get; init; } = ["dotnet"];

    /// <summary>Gets environment variables in addition to those of this program.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>Gets additional arguments.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    internal ProgramCommand Command()
    {
        string[] console = Arguments.Contains("--console-port") ? [] : ["--console-port", "0"];
        string[] memory = Memory is null ? [] : ["--memory", Memory];
        string[] words = [.. Runner, Program ?? Checkout.Server, "--port", $"{(Port == 0 ? FreePorts.Next() : Port)}", .. console, .. memory, .. Arguments];
        return new ProgramCommand("the server", words[0], words[1..]) { Environment = Environment };
    }
}
