using System.Net;
using System.Net.Sockets;

namespace Larder.Harness.Processes;

/// <summary>
/// Free loopback ports. The bus port of a Redis Cluster node is 10,000 above its port. Both are below 32768, where the range for outgoing connections begins,
/// because an outgoing connection could otherwise occupy the port of a node that is being restarted.
/// </summary>
public static class FreePorts
{
    private const int First = 11_000;
    private const int Count = 10_000;

    // Programs that start at the same time begin with different ports.
    private static int s_next = Environment.ProcessId % 500 * 20;

    /// <summary>Returns a port that is free together with its bus port.</summary>
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
