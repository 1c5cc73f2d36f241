using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Larder.Tuner.Processes;

/// <summary>A <c>redis-server</c> on a free port, in memory only.</summary>
internal sealed class RedisServer : IBackend
{
    /// <summary>Start attempts: between finding a free port and binding it another process may take it.</summary>
    private const int Attempts = 3;

    private readonly ChildProcess _process;
    private readonly Task _draining;

    private RedisServer(ChildProcess process, int port)
    {
        _process = process;
        Endpoint = $"127.0.0.1:{port}";
        _draining = process.Output.BaseStream.CopyToAsync(Stream.Null);
    }

    /// <inheritdoc/>
    public string Endpoint { get; }

    /// <inheritdoc/>
    public int? ProcessId => _process.Id;

    /// <summary>Starts one and waits until it accepts connections.</summary>
    /// <exception cref="TunerException">It is not installed, or ended at once.</exception>
    public static async Task<RedisServer> StartAsync()
    {
        for (int attempt = 1; ; attempt++)
        {
            int port = FreePort();
            var process = ChildProcess.Start("redis-server", "redis-server", Arguments(port));
            while (await process.Output.ReadLineAsync().ConfigureAwait(false) is { } line)
            {
                if (line.Contains("Ready to accept connections", StringComparison.Ordinal))
                {
                    return new RedisServer(process, port);
                }
            }

            TunerException failure = await process.FailureAsync("it ended before it listened").ConfigureAwait(false);
            await process.DisposeAsync().ConfigureAwait(false);
            if (attempt == Attempts)
            {
                throw failure;
            }
        }
    }

    /// <inheritdoc/>
    public Task<ServerStats?> StatsAsync() => Task.FromResult<ServerStats?>(null);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _process.StopAsync().ConfigureAwait(false);
        await _draining.ConfigureAwait(false);
        await _process.DisposeAsync().ConfigureAwait(false);
    }

    private static string[] Arguments(int port) =>
        ["--port", port.ToString(CultureInfo.InvariantCulture), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", Path.GetTempPath()];

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
