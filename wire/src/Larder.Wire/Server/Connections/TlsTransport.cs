using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>A connection over TLS, its handshake done.</summary>
internal sealed class TlsTransport : IByteTransport
{
    private readonly Socket _socket;
    private readonly SslStream _stream;

    private TlsTransport(Socket socket, SslStream stream)
    {
        _socket = socket;
        _stream = stream;
    }

    /// <summary>Shakes hands as the server.</summary>
    /// <exception cref="System.Security.Authentication.AuthenticationException">The peer speaks no TLS, or refuses the certificate.</exception>
    /// <exception cref="IOException">The connection was lost.</exception>
    /// <exception cref="OperationCanceledException">It took longer than <paramref name="limit"/> allows.</exception>
    public static async Task<TlsTransport> AcceptAsync(Socket socket, SslServerAuthenticationOptions options, CancellationToken limit)
    {
        SslStream stream = new(new NetworkStream(socket, ownsSocket: false));
        try
        {
            await stream.AuthenticateAsServerAsync(options, limit).ConfigureAwait(false);
            return new TlsTransport(socket, stream);
        }
        catch
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>What the peer has shown in the handshake, and was found good; null where it was asked for nothing.</summary>
    public X509Certificate2? PeerCertificate => _stream.RemoteCertificate is { } shown ? shown as X509Certificate2 ?? new X509Certificate2(shown) : null;

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) => _stream.ReadAsync(buffer, CancellationToken.None);

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => _stream.WriteAsync(bytes, CancellationToken.None);

    public async ValueTask CompleteAsync()
    {
        await _stream.ShutdownAsync().ConfigureAwait(false);
        _socket.Shutdown(SocketShutdown.Send);
    }

    public void Abort() => _socket.Dispose();

    public async ValueTask DisposeAsync()
    {
        await _stream.DisposeAsync().ConfigureAwait(false);
        _socket.Dispose();
    }
}
