using System.Text.RegularExpressions;
using Larder.Harness.Processes;

namespace Larder.Harness.Servers;

/// <summary>The server as users run it, with <c>larder serve</c>. It uses free ports unless ports are specified.</summary>
public sealed partial class ServerProcess : ChildProcess
{
    private ServerProcess(ProgramCommand command)
        : base(command)
    {
    }

    /// <summary>Gets the line that the server printed when it was ready.</summary>
    public string StartLine { get; private set; } = "";

    /// <summary>Gets the endpoint for calls: scheme, host and port.</summary>
    public Uri Endpoint { get; private set; } = null!;

    /// <summary>Gets the address of the console, with health and metrics.</summary>
    public Uri Console { get; private set; } = null!;

    /// <summary>Starts a server and waits until it listens.</summary>
    /// <exception cref="HarnessException">The server is not built, or ended before it listened.</exception>
    public static async Task<ServerProcess> StartAsync(ServerProcessOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var server = new ServerProcess(options.Command());
        Match ready = await server.ReadyAsync(Listening()).ConfigureAwait(false);
        server.StartLine = ready.Value;
        server.Endpoint = new Uri(ready.Groups["endpoint"].Value);
        server.Console = new Uri(ready.Groups["console"].Value);
        return server;
    }

    /// <summary>Starts a server with the given additional arguments and the default options.</summary>
    /// <exception cref="HarnessException">The server is not built, or ended before it listened.</exception>
    public static Task<ServerProcess> StartAsync(params string[] arguments) => StartAtAsync(0, arguments);

    /// <summary>Starts a server on the given port, for example the port of a server that has just ended; 0 for a free port.</summary>
    /// <exception cref="HarnessException">The server is not built, or ended before it listened.</exception>
    public static Task<ServerProcess> StartAtAsync(int port, params string[] arguments) =>
        StartAsync(new ServerProcessOptions { Port = port, Arguments = arguments });

    [GeneratedRegex(@"^.*listening on (?<endpoint>\S+) console (?<console>\S+).*$")]
    private static partial Regex Listening();
}
