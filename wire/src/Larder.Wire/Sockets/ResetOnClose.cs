using System.Net.Sockets;

namespace Larder.Wire.Sockets;

/// <summary>Has a socket's end be a reset: its peer sees it at once, and nothing that was not sent yet is waited for.</summary>
internal static class ResetOnClose
{
    /// <summary>Sets a linger of 0. A socket that is gone already is left as it is.</summary>
    public static void Set(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(enable: true, seconds: 0);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Gone already.
        }
    }
}
