using System.Net;
using System.Net.Sockets;
using Larder.Harness.Processes;

namespace Larder.Harness.Tests.Processes;

public sealed class FreePortsTests
{
    [Fact]
    public void Next_returns_distinct_unused_ports_below_ephemeral_range()
    {
        int[] ports = [.. Enumerable.Range(0, 50).Select(_ => FreePorts.Next())];
        Assert.Equal(ports.Length, ports.Distinct().Count());
        // The ports must be below the ephemeral ports that the system uses for outgoing connections.
        Assert.All(ports, port => Assert.InRange(port, 11_000, 20_999));
        using TcpListener listener = new(IPAddress.Loopback, ports[^1]);
        listener.Start();
    }
}
