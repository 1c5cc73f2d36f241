using System.Net.Sockets;

namespace Larder.Wire.Sockets;

/// <summary>
/// Changes a socket so that closing it sends a reset. The peer then notices the end immediately, and unsent data is discarded without waiting.
/// </summary>
internal static class ResetOnClose
{
    /// <summary>Sets a linger time of 0, so that closing sends a reset. Does nothing if the socket is already closed.</summary>
    public static void Set(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(enable: true, seconds: 0);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The socket is already closed.
        }
    }
}
