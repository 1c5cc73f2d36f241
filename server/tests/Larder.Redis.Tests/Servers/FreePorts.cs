using System.Net;
using System.Net.Sockets;

namespace Larder.Redis.Tests;

/// <summary>Ports of the loopback that nobody listens on; a cluster's bus is 10,000 above its port.</summary>
internal static class FreePorts
{
    private static int s_next = 20_000 + (Environment.ProcessId % 1_000 * 20);

    /// <summary>A port that is free, and its bus port with it.</summary>
    public static int Next()
    {
        while (true)
        {
            int port = 10_000 + (Interlocked.Increment(ref s_next) % 22_000);
            if (IsFree(port) && IsFree(port + 10_000))
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
