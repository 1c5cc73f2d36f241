using System.Text.RegularExpressions;
using Larder.Agent;
using Larder.Harness.Processes;
using Larder.Harness.Proxies;
using Larder.Harness.Redis;
using Larder.Harness.Servers;

namespace Larder.Tuner.Processes;

/// <summary>A server that clients call.</summary>
/// <param name="endpoint">The server's <c>host:port</c>.</param>
/// <param name="processId">The process id if the server runs on this machine, otherwise null.</param>
/// <param name="console">The address of the server's console, or null.</param>
/// <param name="owned">An object that is disposed together with this server, or null.</param>
internal sealed partial class Backend(string endpoint, int? processId, Uri? console = null, IAsyncDisposable? owned = null) : IAsyncDisposable
{
    /// <summary>Gets the server's <c>host:port</c>.</summary>
    public string Endpoint => endpoint;

    /// <summary>Gets the process id if the server runs on this machine, otherwise null.</summary>
    public int? ProcessId => processId;

    /// <summary>Gets the console's <c>host:port</c>, or null.</summary>
    public string? ConsoleAuthority => console?.Authority;

    /// <summary>
    /// Gets the ids of the <c>redis-server</c> processes that contain the server's data, if they run on this machine and are measured together with the server.
    /// Empty by default.
    /// </summary>
    public IReadOnlyList<int> StoreProcesses { get; init; } = [];

    /// <summary>Starts a Larder server on free ports, with 1 GiB of memory and additional arguments.</summary>
    /// <exception cref="Harness.HarnessException">The server is not built, or exited before it listened.</exception>
    public static async Task<Backend> LarderAsync(params string[] more) => Of(await ServerProcess.StartAsync(Programs.Larder(more)).ConfigureAwait(false));

    /// <summary>Wraps a running Larder server. The server is stopped when the returned object is disposed.</summary>
    public static Backend Of(ServerProcess server) => new(server.Endpoint.Authority, server.Id, server.Console, server);

    /// <summary>
    /// Returns a server that is already running elsewhere. Its CPU usage is unknown. Without the address of a console, its statistics are also unknown.
    /// </summary>
    public static Backend Remote(string endpoint, string? console) => new(endpoint, null, console is null ? null : new Uri($"http://{console}"));

    /// <summary>
    /// Starts a Larder server. It uses TLS if <paramref name="files"/> are given. If <paramref name="program"/> is given, this program is started instead of
    /// the server of this checkout: the assembly of a server, or an executable file with the command <c>serve</c>.
    /// </summary>
    /// <exception cref="Harness.HarnessException">The server is not built, or exited before it listened.</exception>
    public static async Task<Backend> LarderAsync(CertificateFiles? files, string? program = null)
    {
        ServerProcessOptions options = Programs.Larder(files is null ? [] : ["--tls-cert", files.Certificate, "--tls-key", files.Key]);
        options = program is null || program.EndsWith(".dll", StringComparison.Ordinal)
            ? options with { Program = program ?? options.Program }
            : options with { Runner = [program], Program = "serve" };
        return Of(await ServerProcess.StartAsync(options).ConfigureAwait(false));
    }

    /// <summary>Starts a <c>redis-server</c>, with TLS if <paramref name="files"/> are given.</summary>
    /// <exception cref="Harness.HarnessException">The program is not installed, or exited immediately.</exception>
    public static Backend Redis(CertificateFiles? files = null)
    {
        RedisServer server = files is null
            ? new RedisServer()
            : new RedisServer("--tls-port", "{port}", "--tls-cert-file", files.Certificate, "--tls-key-file", files.Key, "--tls-auth-clients", "no");
        return new Backend(server.Endpoint, server.Process.Id, null, server);
    }

    /// <summary>Starts the server of a peer that has a server of its own (<see cref="Agents.OwnServer"/>).</summary>
    /// <exception cref="Harness.HarnessException">The program is not built, or exited immediately.</exception>
    public static async Task<Backend> OfPeerAsync(ProgramCommand command)
    {
        ChildProcess server = ChildProcess.Start(command);
        Match said = await server.ReadyAsync(ListeningOn()).ConfigureAwait(false);
        return new Backend(said.Groups["endpoint"].Value, server.Id, null, server);
    }

    /// <summary>Starts a <c>nats-server</c>.</summary>
    /// <exception cref="Harness.HarnessException">The program is not installed, or does not accept connections.</exception>
    public static async Task<Backend> NatsAsync()
    {
        ForeignServer server = await ForeignServer.NatsAsync().ConfigureAwait(false);
        return new Backend(server.Endpoint, server.Id, null, server);
    }

    /// <summary>Starts a <c>memcached</c>.</summary>
    /// <exception cref="Harness.HarnessException">The program is not installed, or does not accept connections.</exception>
    public static async Task<Backend> MemcachedAsync()
    {
        ForeignServer server = await ForeignServer.MemcachedAsync().ConfigureAwait(false);
        return new Backend(server.Endpoint, server.Id, null, server);
    }

    /// <summary>
    /// Returns a server that forwards all connections to this server through a simulated network. Disposing the returned server stops the network, but not this
    /// server.
    /// </summary>
    public Backend Behind(NetworkDelay delay)
    {
        var proxy = new FaultProxy(endpoint, delay with { Sleep = PreciseSleep.For });
        return new Backend(proxy.Endpoint, processId, console, proxy) { StoreProcesses = StoreProcesses };
    }

    /// <summary>Reads the server's statistics, or returns null if they are not available.</summary>
    public Task<ServerStats?> StatsAsync() => console is null ? Task.FromResult<ServerStats?>(null) : ServerStats.ReadAsync(console);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => owned?.DisposeAsync() ?? ValueTask.CompletedTask;

    [GeneratedRegex(@"^listening on (?<endpoint>\S+)$")]
    private static partial Regex ListeningOn();
}
