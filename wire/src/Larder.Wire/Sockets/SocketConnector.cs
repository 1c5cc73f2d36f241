using System.Net;
using System.Net.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire.Sockets;

/// <summary>Connects to a host by name: each of its addresses is tried in turn.</summary>
internal static class SocketConnector
{
    /// <summary>A connection to the host, on a reactor or on .NET's own sockets.</summary>
    /// <param name="host">A name or an address.</param>
    /// <param name="port">The port.</param>
    /// <param name="address">The one of its addresses that is meant; null for each in turn.</param>
    /// <param name="usesReactors">Whether it is on a reactor.</param>
    /// <param name="cancellationToken">Gives it up.</param>
    /// <param name="reactor">Which reactor; null for the next.</param>
    /// <exception cref="SocketException">The name is unknown, or no address answers.</exception>
    /// <exception cref="OperationCanceledException">It took too long.</exception>
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
