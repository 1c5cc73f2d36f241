using System.Net;
using System.Net.Sockets;
using Larder.Harness.Processes;

namespace Larder.Harness.Servers;

/// <summary>A <c>nats-server</c> with its default settings on a free port.</summary>
public sealed class NatsServer : ChildProcess
{
    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(20);

    private readonly int _port;

    private NatsServer(int port)
        : base(new ProgramCommand("nats-server", "nats-server", "--addr", "127.0.0.1", "--port", $"{port}")) => _port = port;

    /// <summary>Gets the address, as <c>host:port</c>.</summary>
    public string Endpoint => $"127.0.0.1:{_port}";

    /// <summary>Starts a server and waits until it accepts connections. The server writes its log to stderr, which is kept for error messages.</summary>
    /// <exception cref="HarnessException">NATS is not installed, or does not accept connections.</exception>
    public static async Task<NatsServer> StartAsync()
    {
        var server = new NatsServer(FreePorts.Next());
        for (TimeSpan waited = default; waited < Patience && !server.HasExited; waited += s_between)
        {
            if (await server.AcceptsAsync().ConfigureAwait(false))
            {
                return server;
            }

            await Task.Delay(s_between).ConfigureAwait(false);
        }

        server.Kill();
        HarnessException failure = await server.FailureAsync("the process does not accept connections").ConfigureAwait(false);
        await server.DisposeAsync().ConfigureAwait(false);
        throw failure;
    }

    private async Task<bool> AcceptsAsync()
    {
        using TcpClient client = new();
        try
        {
            await client.ConnectAsync(IPAddress.Loopback, _port).ConfigureAwait(false);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
