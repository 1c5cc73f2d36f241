using Larder.Harness.Servers;

namespace Larder.Conformance;

/// <summary>
/// The servers of a run. There is one server for each set of arguments, started on first use. Alternatively, all cases use one existing endpoint.
/// </summary>
internal sealed class ServerPool(IReadOnlyList<string> command, IReadOnlyList<string> store, string? endpoint) : IAsyncDisposable
{
    private readonly SemaphoreSlim _starting = new(1);
    private readonly Dictionary<string, ServerProcess> _started = [];

    /// <summary>Gets whether servers with specific arguments can be started.</summary>
    public bool CanStart => endpoint is null;

    /// <summary>Gets whether the servers are gateways in front of one engine.</summary>
    public bool AreGateways => store.Count > 0;

    /// <summary>Starts a server with these arguments for the exclusive use of the caller, which must dispose the server.</summary>
    public Task<ServerProcess> StartAsync(IReadOnlyList<string> arguments) => ServerProcess.StartAsync(new ServerProcessOptions
    {
        Runner = [.. command.Take(command.Count - 1)],
        Program = command[^1],
        Memory = null,
        Arguments = ["--fault-injection", .. store, .. arguments],
    });

    /// <summary>Returns the address of a server with these arguments.</summary>
    /// <param name="arguments">The arguments.</param>
    /// <param name="gateway">The number of the gateway, if there are several with the same arguments.</param>
    public async Task<string> EndpointAsync(IReadOnlyList<string> arguments, int gateway = 0)
    {
        if (endpoint is not null)
        {
            return endpoint;
        }

        await _starting.WaitAsync().ConfigureAwait(false);
        try
        {
            string key = $"{gateway} {string.Join(' ', arguments)}";
            if (!_started.TryGetValue(key, out ServerProcess? server))
            {
                _started[key] = server = await StartAsync(arguments).ConfigureAwait(false);
            }

            return server.Endpoint.Authority;
        }
        finally
        {
            _starting.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (ServerProcess server in _started.Values)
        {
            await server.DisposeAsync().ConfigureAwait(false);
        }

        _starting.Dispose();
    }
}
