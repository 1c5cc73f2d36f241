using System.Text.RegularExpressions;
using Larder.Agent;
using Larder.Harness.Processes;
using Larder.Harness.Proxies;
using Larder.Harness.Redis;
using Larder.Harness.Servers;

namespace Larder.Tuner.Processes;

/// <summary>A server that clients are driven against.</summary>
/// <param name="endpoint"><c>host:port</c>.</param>
/// <param name="processId">Its process, when it runs here; null when it is elsewhere.</param>
/// <param name="console">Where it says what it does; null when it does not.</param>
/// <param name="owned">What ends with it; null for nothing.</param>
internal sealed partial class Backend(string endpoint, int? processId, Uri? console = null, IAsyncDisposable? owned = null) : IAsyncDisposable
{
    /// <summary><c>host:port</c>.</summary>
    public string Endpoint => endpoint;

    /// <summary>Its process, when it runs here; null when it is elsewhere.</summary>
    public int? ProcessId => processId;

    /// <summary>Its console's <c>host:port</c>; null if it has none.</summary>
    public string? ConsoleAuthority => console?.Authority;

    /// <summary>The processes of <c>redis-server</c> that hold its data, where they run here and are measured with it; none by default.</summary>
    public IReadOnlyList<int> StoreProcesses { get; init; } = [];

    /// <summary>Starts a server of ours on free ports, with 1 GiB of memory and more arguments.</summary>
    /// <exception cref="Harness.HarnessException">It is not built, or ended before it listened.</exception>
    public static async Task<Backend> LarderAsync(params string[] more) => Of(await ServerProcess.StartAsync(Programs.Larder(more)).ConfigureAwait(false));

    /// <summary>A server of ours that is started; it ends with this.</summary>
    public static Backend Of(ServerProcess server) => new(server.Endpoint.Authority, server.Id, server.Console, server);

    /// <summary>A server that somebody else runs; its CPU is unknown, what it says too unless a console was named.</summary>
    public static Backend Remote(string endpoint, string? console) => new(endpoint, null, console is null ? null : new Uri($"http://{console}"));

    /// <summary>Starts a server of ours, which with files is spoken to over TLS; another program than this tree's where one is given.</summary>
    /// <exception cref="Harness.HarnessException">It is not built, or ended before it listened.</exception>
    public static async Task<Backend> LarderAsync(CertificateFiles? files, string? program = null)
    {
        ServerProcessOptions options = Programs.Larder(files is null ? [] : ["--tls-cert", files.Certificate, "--tls-key", files.Key]);
        return Of(await ServerProcess.StartAsync(options with { Program = program ?? options.Program }).ConfigureAwait(false));
    }

    /// <summary>Starts a <c>redis-server</c>; with files it is spoken to over TLS.</summary>
    /// <exception cref="Harness.HarnessException">It is not installed, or ended at once.</exception>
    public static Backend Redis(CertificateFiles? files = null)
    {
        RedisServer server = files is null
            ? new RedisServer()
            : new RedisServer("--tls-port", "{port}", "--tls-cert-file", files.Certificate, "--tls-key-file", files.Key, "--tls-auth-clients", "no");
        return new Backend(server.Endpoint, server.Process.Id, null, server);
    }

    /// <summary>Starts the program that the floor's client calls.</summary>
    /// <exception cref="Harness.HarnessException">It is not built, or ended at once.</exception>
    public static async Task<Backend> FloorAsync()
    {
        ChildProcess server = ChildProcess.Start(Agents.FloorServer());
        Match said = await server.ReadyAsync(ListeningOn()).ConfigureAwait(false);
        return new Backend(said.Groups["endpoint"].Value, server.Id, null, server);
    }

    /// <summary>Starts a <c>nats-server</c>.</summary>
    /// <exception cref="Harness.HarnessException">It is not installed, or does not accept connections.</exception>
    public static async Task<Backend> NatsAsync()
    {
        NatsServer server = await NatsServer.StartAsync().ConfigureAwait(false);
        return new Backend(server.Endpoint, server.Id, null, server);
    }

    /// <summary>This server behind a network; the network ends with what is returned, the server does not.</summary>
    public Backend Behind(NetworkDelay delay)
    {
        var proxy = new FaultProxy(endpoint, delay with { Sleep = PreciseSleep.For });
        return new Backend(proxy.Endpoint, processId, console, proxy) { StoreProcesses = StoreProcesses };
    }

    /// <summary>What it says of itself now; null when it does not say.</summary>
    public Task<ServerStats?> StatsAsync() => console is null ? Task.FromResult<ServerStats?>(null) : ServerStats.ReadAsync(console);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => owned?.DisposeAsync() ?? ValueTask.CompletedTask;

    [GeneratedRegex(@"^listening on (?<endpoint>\S+)$")]
    private static partial Regex ListeningOn();
}
