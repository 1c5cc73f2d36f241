using System.Net;
using System.Net.Sockets;
using Larder.Lab.Peers.Attacks;

namespace Larder.Lab.Tests.Attackers;

public sealed class AttackSocketTests
{
    [Fact]
    public async Task Attacker_connects_from_its_own_address()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        AttackCounts counts = new();
        using Socket socket = await AttackSocket.ConnectAsync((IPEndPoint)server.LocalEndpoint, counts, CancellationToken.None);
        using TcpClient accepted = await server.AcceptTcpClientAsync();
        IPAddress expected = OperatingSystem.IsLinux() ? AttackSocket.Address : IPAddress.Loopback;
        Assert.Equal((expected, 1), (((IPEndPoint)accepted.Client.RemoteEndPoint!).Address, counts.Connections));
    }
}
