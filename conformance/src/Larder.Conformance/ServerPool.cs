using Larder.Harness.Servers;

namespace Larder.Conformance;

/// <summary>The servers of a run: one for each set of arguments, started when first asked for; or one endpoint given.</summary>
internal sealed class ServerPool(IReadOnlyList<string> command, IReadOnlyList<string> store, string? endpoint) : IAsyncDisposable
{
    private readonly SemaphoreSlim _starting = new(1);
    private readonly Dictionary<string, ServerProcess> _started = [];

    /// <summary>Whether a server with arguments of its own can be had.</summary>
    public bool CanStart => endpoint is null;

    /// <summary>A server with these arguments that is the caller's alone, and ends with it.</summary>
    public Task<ServerProcess> StartAsync(IReadOnlyList<string> arguments) => ServerProcess.StartAsync(new ServerProcessOptions
    {
        Runner = [.. command.Take(command.Count - 1)],
        Program = command[^1],
        Memory = null,
        Arguments = ["--fault-injection", .. store, .. arguments],
    });

    public async Task<string> EndpointAsync(IReadOnlyList<string> arguments)
    {
        if (endpoint is not null)
        {
            return endpoint;
        }

        await _starting.WaitAsync().ConfigureAwait(false);
        try
        {
            string key = string.Join(' ', arguments);
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
