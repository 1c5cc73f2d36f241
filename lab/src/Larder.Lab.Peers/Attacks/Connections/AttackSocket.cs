using System.Net;
using System.Net.Sockets;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Connects an attacker from a separate address, so that the server's countermeasures against this address do not affect the other tenants.</summary>
internal static class AttackSocket
{
    /// <summary>The attackers' address on the server's machine. On Linux, all addresses of 127.0.0.0/8 are local.</summary>
    public static readonly IPAddress Address = IPAddress.Parse("127.0.0.2");

    /// <summary>Opens a connection.</summary>
    /// <exception cref="SocketException">The server refused the connection.</exception>
    public static async Task<Socket> ConnectAsync(IPEndPoint server, AttackCounts counts, CancellationToken stop)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            if (OperatingSystem.IsLinux() && server.Address.Equals(IPAddress.Loopback))
            {
                socket.Bind(new IPEndPoint(Address, 0));
            }

            await socket.ConnectAsync(server, stop).ConfigureAwait(false);
            counts.AddConnection();
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
