using System.Net;
using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Threads;

namespace Larder.Wire.Sockets;

/// <summary>
/// A connection over TLS, its handshake done; the same for both roles.
/// <para>
/// Design. It lies on a plain transport, a reactor's where there are any: records are opened on the thread that saw them arrive, as plaintext is handled
/// there. It waits without a buffer (a receive into no room), so that a silent connection holds none, and then takes all that has arrived, up to its caller's
/// room, before it returns: a turn for each record of 16 KB would be an answer and a wake-up for each.
/// </para>
/// <para>
/// The handshake runs elsewhere, for it costs as much as a thousand calls: a server's on threads of their own (<see cref="HandshakeThreads"/>), a client's,
/// which may ask its user's code, on the thread pool.
/// </para>
/// </summary>
internal sealed class TlsTransport : IByteTransport
{
    // RFC 8446, section 6: a fatal protocol_version.
    private static readonly byte[] s_versionAlert = [21, 3, 1, 0, 2, 2, 70];

    private static readonly Action<IThreadPoolWorkItem> s_toPool = PoolQueue.Work.Add;

    private readonly IByteTransport _plain;
    private readonly bool _isServer;
    private readonly ReactorSocket? _socket;
    private readonly SslStream _stream;
    private readonly TlsRecordGuard _guard;

    // A wait for more that was begun when there was none, and goes on.
    private ValueTask<int>? _arrival;

    private TlsTransport(IByteTransport plain, bool isServer)
    {
        _plain = plain;
        _isServer = isServer;
        _socket = plain as ReactorSocket;
        _guard = new TlsRecordGuard(isServer, TimeProvider.System);
        _stream = new SslStream(new TransportStream(plain, _guard), leaveInnerStreamOpen: false);
    }

    /// <summary>What the peer has shown in the handshake, and was found good; null where it was asked for nothing.</summary>
    public X509Certificate2? PeerCertificate => _stream.RemoteCertificate is { } shown ? shown as X509Certificate2 ?? new X509Certificate2(shown) : null;

    /// <summary>The protocol that both speak within it.</summary>
    public SslApplicationProtocol Protocol => _stream.NegotiatedApplicationProtocol;

    /// <summary>Shakes hands as the server over a connection that it owns from now on.</summary>
    /// <exception cref="AuthenticationException">The peer speaks no TLS, or refuses the certificate.</exception>
    /// <exception cref="IOException">The connection was lost.</exception>
    /// <exception cref="OperationCanceledException">It took longer than <paramref name="limit"/> allows.</exception>
    /// <param name="plain">The connection.</param>
    /// <param name="options">The server's certificate, and what it requires of clients.</param>
    /// <param name="limit">Ends the handshake.</param>
    /// <param name="client">Where the client is: clients get equal shares of the handshakes' threads.</param>
    public static Task<TlsTransport> AcceptAsync(
        IByteTransport plain, SslServerAuthenticationOptions options, CancellationToken limit, IPAddress? client = null)
    {
        IPAddress network = ClientNetwork.Of(client);
        TlsTransport transport = new(plain, isServer: true);
        return ShakeHandsAsync(
            transport,
            stream => stream.AuthenticateAsServerAsync(options, limit),
            work => HandshakeThreads.Shared.Add(work, network, transport._guard.FlightBytes + (transport._socket?.ArrivedBytes ?? 0)),
            limit);
    }

    /// <summary>Shakes hands as the client; otherwise as <see cref="AcceptAsync"/>.</summary>
    public static Task<TlsTransport> ConnectAsync(IByteTransport plain, SslClientAuthenticationOptions options, CancellationToken limit) =>
        ShakeHandsAsync(new TlsTransport(plain, isServer: false), stream => stream.AuthenticateAsClientAsync(options, limit), s_toPool, limit);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        // Sockets in turn: what came meanwhile is the reactor's to tell.
        LookAtOnce(false);
        ValueTask<int> arrival = _arrival ?? _stream.ReadAsync(Memory<byte>.Empty);
        _arrival = null;
        await arrival.ConfigureAwait(false);
        int count = 0;
        int read = 1;
        while (read > 0 && count < buffer.Length && HasMore(count))
        {
            read = await _stream.ReadAsync(buffer[count..]).ConfigureAwait(false);
            _guard.Delivered(read);
            count += read;
        }

        return count;
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => _stream.WriteAsync(bytes);

    public async ValueTask CompleteAsync()
    {
        await _stream.ShutdownAsync().ConfigureAwait(false);
        await _plain.CompleteAsync().ConfigureAwait(false);
    }

    public void Abort() => _plain.Abort();

    public void Dispose() => _stream.Dispose();

    // An alert in plaintext: the client can tell its user what is wrong.
    private static async Task TellForeignAsync(IByteTransport plain)
    {
        try
        {
            await plain.SendAsync(s_versionAlert).ConfigureAwait(false);
            await plain.CompleteAsync().ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is IOException or ObjectDisposedException or System.Net.Sockets.SocketException)
        {
            // The client has gone, and needs no answer.
        }
    }

    private static async Task<TlsTransport> ShakeHandsAsync(
        TlsTransport transport, Func<SslStream, Task> shakeHands, Action<IThreadPoolWorkItem> elsewhere, CancellationToken limit)
    {
        try
        {
            transport.ResumeElsewhere(elsewhere);
            // A receive on a reactor is given up by ending it.
            using (limit.UnsafeRegister(static state => ((IByteTransport)state!).Abort(), transport._plain))
            {
                await shakeHands(transport._stream).ConfigureAwait(false);
            }

            limit.ThrowIfCancellationRequested();
            transport._guard.Established(transport._stream.SslProtocol == SslProtocols.Tls13);
            transport.ResumeElsewhere(null);
            // Off the handshakes' thread.
            await PoolQueue.Work.Yield();
            return transport;
        }
        catch (Exception error)
        {
            if (transport._isServer && transport._guard.IsForeign && !limit.IsCancellationRequested)
            {
                await TellForeignAsync(transport._plain).ConfigureAwait(false);
            }

            transport.Dispose();
            limit.ThrowIfCancellationRequested();
            if (!transport._isServer && transport._guard.IsForeign)
            {
                throw new ProtocolMismatchException("the port answers without TLS; use an http:// address, or the port that speaks TLS", error);
            }

            throw;
        }
    }

    // Whether a read now is one that ends at once: the first is; further ones where more has come, which a read into no room says. It leaves what it opened.
    private bool HasMore(int count)
    {
        if (count == 0)
        {
            return true;
        }

        if (_socket is { LooksAtOnce: false })
        {
            return false;
        }

        ValueTask<int> arrival = _stream.ReadAsync(Memory<byte>.Empty);
        if (arrival.IsCompletedSuccessfully)
        {
            return true;
        }

        // Also where it failed: whoever receives next is told.
        _arrival = arrival;
        return false;
    }

    private void LookAtOnce(bool isOn)
    {
        if (_socket is not null)
        {
            _socket.LooksAtOnce = isOn;
        }
    }

    private void ResumeElsewhere(Action<IThreadPoolWorkItem>? queue)
    {
        if (_socket is not null)
        {
            _socket.Elsewhere = queue;
        }
    }
}
