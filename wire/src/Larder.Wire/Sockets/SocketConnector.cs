using System.Net;
using System.Net.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire.Sockets;

/// <summary>Connects to a host by name and tries each of its addresses in turn.</summary>
internal static class SocketConnector
{
    /// <summary>Connects to a host, on a reactor or with .NET's own sockets.</summary>
    /// <param name="host">The host name or address.</param>
    /// <param name="port">The port.</param>
    /// <param name="address">The address to connect to, or null to try all addresses of the host.</param>
    /// <param name="usesReactors">True to use a reactor.</param>
    /// <param name="cancellationToken">Cancels the attempt.</param>
    /// <param name="reactor">The reactor, or null for the next one.</param>
    /// <exception cref="SocketException">The name is unknown, or no address accepts the connection.</exception>
    /// <exception cref="OperationCanceledException">The attempt was cancelled or timed out.</exception>
    public static async Task<IByteTransport> ConnectAsync(
        string host, int port, IPAddress? address, bool usesReactors, CancellationToken cancellationToken, Reactor? reactor = null) => usesReactors
        ? await ConnectReactorAsync(host, port, address, reactor, cancellationToken).On(PoolQueue.Work)
        : new SocketTransport(await ConnectSocketAsync(host, port, address, cancellationToken).On(PoolQueue.Work));

    private static async Task<Socket> ConnectSocketAsync(string host, int port, IPAddress? address, CancellationToken cancellationToken)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            EndPoint target = address is null ? new DnsEndPoint(host, port) : new IPEndPoint(address, port);
            await socket.ConnectAsync(target, cancellationToken).On(PoolQueue.Work);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async Task<ReactorSocket> ConnectReactorAsync(
        string host, int port, IPAddress? address, Reactor? reactor, CancellationToken cancellationToken)
    {
        SocketException? refused = null;
        IPAddress[] addresses = address is null ? await HostNames.ResolveAsync(host, cancellationToken).On(PoolQueue.Work) : [address];
        foreach (IPAddress each in addresses)
        {
            try
            {
                return await ReactorSocket.ConnectAsync(new IPEndPoint(each, port), cancellationToken, reactor).On(PoolQueue.Work);
            }
            catch (SocketException error)
            {
                refused = error;
            }
        }

        throw refused ?? new SocketException((int)SocketError.HostNotFound);
    }
}
