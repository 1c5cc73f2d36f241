using System.Net;
using System.Net.Sockets;
using Larder.Harness.Processes;

namespace Larder.Harness.Servers;

/// <summary>A server of another project on a free loopback port, otherwise with its default settings.</summary>
public sealed class ForeignServer : ChildProcess
{
    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(20);

    private readonly int _port;

    private ForeignServer(int port, string program, params string[] arguments)
        : base(new ProgramCommand(program, program, arguments)) => _port = port;

    /// <summary>Gets the address, as <c>host:port</c>.</summary>
    public string Endpoint => $"127.0.0.1:{_port}";

    /// <summary>Starts a <c>nats-server</c>.</summary>
    /// <exception cref="HarnessException">NATS is not installed, or does not accept connections.</exception>
    public static Task<ForeignServer> NatsAsync() => StartAsync("nats-server", static port => ["--addr", "127.0.0.1", "--port", $"{port}"]);

    /// <summary>Starts a <c>memcached</c> with 1 GiB of memory.</summary>
    /// <exception cref="HarnessException">memcached is not installed, or does not accept connections.</exception>
    public static Task<ForeignServer> MemcachedAsync() =>
        StartAsync("memcached", static port => ["-l", "127.0.0.1", "-p", $"{port}", "-U", "0", "-m", "1024", "-u", Environment.UserName]);

    // Waits until the server accepts connections. The server writes its log to stderr, which is kept for error messages.
    private static async Task<ForeignServer> StartAsync(string program, Func<int, string[]> arguments)
    {
        int port = FreePorts.Next();
        var server = new ForeignServer(port, program, arguments(port));
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
