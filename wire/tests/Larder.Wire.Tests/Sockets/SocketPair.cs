using System.Net;
using System.Net.Sockets;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

/// <summary>A socket on a reactor, connected to a plain socket.</summary>
internal sealed class SocketPair : IDisposable
{
    private SocketPair(ReactorSocket near, Socket far)
    {
        Near = near;
        Far = far;
    }

    public ReactorSocket Near { get; }

    public Socket Far { get; }

    public static async Task<SocketPair> ConnectAsync(Reactor? reactor = null)
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Task<Socket> accepting = listener.AcceptAsync();
        ReactorSocket near = await ReactorSocket.ConnectAsync((IPEndPoint)listener.LocalEndPoint!, CancellationToken.None, reactor);
        return new SocketPair(near, await accepting.WaitAsync(TestCalls.Patience));
    }

    public void Dispose()
    {
        Near.Dispose();
        Far.Dispose();
    }
}
