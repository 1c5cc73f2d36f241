using System.Net;
using System.Net.Sockets;
using System.Text;
using Larder.Harness.Clocks;
using Larder.Server.Console;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Console;

/// <summary>Tests that a liveness probe can connect, even if the console has many other connections.</summary>
public sealed class ConsoleConnectionsTests
{
    [Theory]
    [InlineData(ConsoleConnections.Max, "")]
    [InlineData(ConsoleConnections.Max + 1, "")]
    [InlineData(10 * ConsoleConnections.Max, "")]
    [InlineData(ConsoleConnections.Max + 1, "GET /hea")]
    public async Task Health_is_served_when_silent_connections_hold_every_slot(int count, string sent)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        List<Socket> held = [];
        try
        {
            for (int index = 0; index < count; index++)
            {
                held.Add(await ConnectAsync(server.Server.ConsoleEndpoint, sent));
            }

            await AssertHealthyAsync(server);
        }
        finally
        {
            held.ForEach(static socket => socket.Dispose());
        }
    }

    [Fact]
    public async Task Health_is_served_when_idle_connections_hold_every_slot()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        List<Socket> held = [];
        try
        {
            for (int index = 0; index < 2 * ConsoleConnections.Max; index++)
            {
                Socket socket = await ConnectAsync(server.Server.ConsoleEndpoint, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
                held.Add(socket);
                Assert.NotEqual(0, await socket.ReceiveAsync(new byte[4096]).WaitAsync(RunningServer.Patience));
            }

            await AssertHealthyAsync(server);
        }
        finally
        {
            held.ForEach(static socket => socket.Dispose());
        }
    }

    [Fact]
    public async Task Health_is_served_when_authenticated_connections_hold_every_slot()
    {
        await using RunningServer server = await RunningServer.StartAsync(static options => options with { ConsoleToken = "figures" });
        List<Socket> held = [];
        try
        {
            for (int index = 0; index < ConsoleConnections.Max; index++)
            {
                const string Request = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer figures\r\n\r\n";
                Socket socket = await ConnectAsync(server.Server.ConsoleEndpoint, Request);
                held.Add(socket);
                Assert.NotEqual(0, await socket.ReceiveAsync(new byte[4096]).WaitAsync(RunningServer.Patience));
            }

            await AssertHealthyAsync(server);
        }
        finally
        {
            held.ForEach(static socket => socket.Dispose());
        }
    }

    [Fact]
    public async Task Silent_connection_is_closed_when_first_byte_is_late()
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TimeProvider = time });
        using Socket silent = await ConnectAsync(server.Server.ConsoleEndpoint, "");
        Task<bool> closed = ClosedAsync(silent);
        await Until.TrueAsync(
            () =>
            {
                // Advance the clock in every attempt, because the server may not have accepted the connection before the previous advance.
                time.Advance(ConsoleConnections.FirstByteTimeout);
                return Task.FromResult(closed.IsCompleted);
            },
            "the silent connection is closed");
        Assert.True(await closed);
    }

    private static async Task<bool> ClosedAsync(Socket socket)
    {
        try
        {
            return await socket.ReceiveAsync(new byte[1]) == 0;
        }
        catch (SocketException)
        {
            return true;
        }
    }

    private static async Task<Socket> ConnectAsync(Uri console, string sent)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, console.Port);
        await socket.SendAsync(Encoding.ASCII.GetBytes(sent));
        return socket;
    }

    private static async Task AssertHealthyAsync(RunningServer server)
    {
        using HttpClient http = new();
        Assert.Equal("ok\n", await http.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/health")).WaitAsync(RunningServer.Patience));
    }
}
