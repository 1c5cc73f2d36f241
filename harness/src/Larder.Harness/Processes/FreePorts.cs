using System.Net;
using System.Net.Sockets;

namespace Larder.Harness.Processes;

/// <summary>
/// Ports of the loopback that nobody listens on; the bus of a Redis Cluster's node is 10,000 above its port. Both are below 32768, from where the system takes
/// the ports of outgoing connections: one of those could be the port of a node that is just being restarted.
/// </summary>
public static class FreePorts
{
    private const int First = 11_000;
    private const int Count = 10_000;

    // Programs that start at once begin at different ones.
    private static int s_next = Environment.ProcessId % 500 * 20;

    /// <summary>A port that is free, and its bus port with it.</summary>
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
