using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

/// <summary>The server's side of a TLS connection, on a reactor or on .NET's sockets, and .NET's own stream as the client.</summary>
internal sealed class TlsPair : IDisposable
{
    private readonly X509Certificate2 _certificate;

    private TlsPair(X509Certificate2 certificate, TlsTransport near, Socket socket, SslStream far) =>
        (_certificate, Near, Socket, Far) = (certificate, near, socket, far);

    public TlsTransport Near { get; }

    /// <summary>Gets the socket of the server's side.</summary>
    public Socket Socket { get; }

    public SslStream Far { get; }

    public static async Task<TlsPair> ConnectAsync(bool onReactor, Func<IByteTransport, IByteTransport>? wrap = null)
    {
        X509Certificate2 certificate = TestCertificate.Make();
        (Socket socket, Socket peer) = await SocketsAsync();
        IByteTransport plain = onReactor ? new ReactorSocket(socket) : new SocketTransport(socket);
        SslStream far = new(new NetworkStream(peer, ownsSocket: true), leaveInnerStreamOpen: false, TestCertificate.IsIt(certificate));
        Task<TlsTransport> accepting = TlsTransport.AcceptAsync(
            wrap is null ? plain : wrap(plain), new SslServerAuthenticationOptions { ServerCertificate = certificate }, CancellationToken.None);
        await far.AuthenticateAsClientAsync("localhost");
        return new TlsPair(certificate, await accepting, socket, far);
    }

    /// <summary>Creates both sides of a plaintext connection. The near socket has not been used asynchronously.</summary>
    public static async Task<(Socket Near, Socket Far)> SocketsAsync()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Socket far = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await far.ConnectAsync(listener.LocalEndPoint!);
        return (await listener.AcceptAsync(), far);
    }

    public void Dispose()
    {
        Near.Dispose();
        Far.Dispose();
        _certificate.Dispose();
    }
}
