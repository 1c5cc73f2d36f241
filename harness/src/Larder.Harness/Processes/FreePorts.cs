using System.Net;
using System.Net.Sockets;

namespace Larder.Harness.Processes;

/// <summary>
/// Finds free loopback ports. The bus port of a Redis Cluster node is its port plus 10,000. Both ports are below 32768, because the range for outgoing
/// connections begins there. Otherwise, an outgoing connection could occupy the port of a node that is being restarted.
/// </summary>
public static class FreePorts
{
    private const int First = 11_000;
    private const int Count = 10_000;

    // Each process begins its search at a different port, so that programs that start at the same time find different ports.
    private static int s_next = Environment.ProcessId % 500 * 20;

    /// <summary>Returns a port for which both the port and the bus port are free.</summary>
    public static int Next()
    {
        while (true)
        {
            int port = First + (Interlocked.Increment(ref s_next) % Count);
            if (IsFree(port) && IsFree(port + Count))
            {
                return port;
            }
        }
    }

    private static bool IsFree(int port)
    {
        using TcpListener listener = new(IPAddress.Loopback, port);
        try
        {
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
