using System.Net;
using System.Net.Sockets;

namespace Larder.Wire.Sockets;

/// <summary>Connects to a host by name: each of its addresses is tried in turn.</summary>
internal static class SocketConnector
{
    /// <summary>A stream of bytes to the host, on a reactor or on .NET's own sockets.</summary>
    /// <exception cref="SocketException">The name is unknown, or no address answers.</exception>
    /// <exception cref="OperationCanceledException">It took too long.</exception>
    public static async Task<Stream> ConnectAsync(string host, int port, bool usesReactors, CancellationToken cancellationToken) => usesReactors
        ? new ReactorStream(await ConnectReactorAsync(host, port, cancellationToken).ConfigureAwait(false))
        : new NetworkStream(await ConnectSocketAsync(host, port, cancellationToken).ConfigureAwait(false), ownsSocket: true);

    private static async Task<Socket> ConnectSocketAsync(string host, int port, CancellationToken cancellationToken)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(new DnsEndPoint(host, port), cancellationToken).ConfigureAwait(false);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async Task<ReactorSocket> ConnectReactorAsync(string host, int port, CancellationToken cancellationToken)
    {
        SocketException? refused = null;
        foreach (IPAddress address in await Dns.GetHostAddressesAsync(host, cancellationToken).ConfigureAwait(false))
        {
            try
            {
                return await ReactorSocket.ConnectAsync(new IPEndPoint(address, port), cancellationToken).ConfigureAwait(false);
            }
            catch (SocketException error)
            {
                refused = error;
            }
        }

        throw refused ?? new SocketException((int)SocketError.HostNotFound);
    }
}
