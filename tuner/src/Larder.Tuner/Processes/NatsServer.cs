using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Larder.Tuner.Processes;

/// <summary>A <c>nats-server</c> on a free port, with its defaults.</summary>
internal sealed class NatsServer : IBackend
{
    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(20);
    private const int MostLooks = 500;

    private readonly ChildProcess _process;
    private readonly Task _draining;

    private NatsServer(ChildProcess process, int port)
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
    /// <exception cref="TunerException">It is not installed, or does not.</exception>
    public static async Task<NatsServer> StartAsync()
    {
        int port = FreePort();
        ChildProcess process = ChildProcess.Start(
            "nats-server",
            "nats-server",
            ["--addr", "127.0.0.1", "--port", port.ToString(CultureInfo.InvariantCulture)]);
        for (int look = 0; look < MostLooks; look++)
        {
            // Its log is on standard error, which is kept for what fails.
            if (await AcceptsAsync(port).ConfigureAwait(false))
            {
                return new NatsServer(process, port);
            }

            await Task.Delay(s_between).ConfigureAwait(false);
        }

        TunerException failure = await process.FailureAsync("it does not accept connections").ConfigureAwait(false);
        await process.DisposeAsync().ConfigureAwait(false);
        throw failure;
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

    private static async Task<bool> AcceptsAsync(int port)
    {
        using TcpClient client = new();
        try
        {
            await client.ConnectAsync(IPAddress.Loopback, port).ConfigureAwait(false);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
