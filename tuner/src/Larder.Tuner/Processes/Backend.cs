using Larder.Agent;
using Larder.Harness.Proxies;
using Larder.Harness.Redis;
using Larder.Harness.Servers;

namespace Larder.Tuner.Processes;

/// <summary>A server that clients are driven against.</summary>
/// <param name="endpoint"><c>host:port</c>.</param>
/// <param name="processId">Its process, when it runs here; null when it is elsewhere.</param>
/// <param name="console">Where it says what it does; null when it does not.</param>
/// <param name="owned">What ends with it; null for nothing.</param>
internal sealed class Backend(string endpoint, int? processId, Uri? console = null, IAsyncDisposable? owned = null) : IAsyncDisposable
{
    /// <summary><c>host:port</c>.</summary>
    public string Endpoint => endpoint;

    /// <summary>Its process, when it runs here; null when it is elsewhere.</summary>
    public int? ProcessId => processId;

    /// <summary>The processes of <c>redis-server</c> that hold its data, where they run here and are measured with it; none by default.</summary>
    public IReadOnlyList<int> StoreProcesses { get; init; } = [];

    /// <summary>Starts a server of ours on free ports, with 1 GiB of memory and more arguments.</summary>
    /// <exception cref="Harness.HarnessException">It is not built, or ended before it listened.</exception>
    public static async Task<Backend> LarderAsync(params string[] more) => Of(await ServerProcess.StartAsync(Programs.Larder(more)).ConfigureAwait(false));

    /// <summary>A server of ours that is started; it ends with this.</summary>
    public static Backend Of(ServerProcess server) => new(server.Endpoint.Authority, server.Id, server.Console, server);

    /// <summary>A server that somebody else runs; its CPU is unknown, what it says too unless a console was named.</summary>
    public static Backend Remote(string endpoint, string? console) => new(endpoint, null, console is null ? null : new Uri($"http://{console}"));

    /// <summary>Starts a <c>redis-server</c>.</summary>
    /// <exception cref="Harness.HarnessException">It is not installed, or ended at once.</exception>
    public static Backend Redis()
    {
        var server = new RedisServer();
        return new Backend(server.Endpoint, server.Process.Id, null, server);
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
}
