using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Tasks.Sources;
using Larder.Wire.Threads;

namespace Larder.Wire.Sockets;

/// <summary>
/// A TLS connection after its handshake, for client and server.
/// <para>
/// Design. The transport wraps a plain transport, which uses a reactor if reactors are available. Records are decrypted on the thread that detected their
/// arrival. While the transport waits for data, it uses a receive with an empty buffer, so a silent connection needs no buffer. It then reads all data that has
/// arrived, up to the size of the caller's buffer, before it returns. If it returned after each 16 KB record, each record would cause a response and a wake-up.
/// </para>
/// <para>
/// The handshake does not run on the reactor, because it costs as much as a thousand calls. On a server, it runs on dedicated threads
/// (<see cref="HandshakeThreads"/>). On a client, it runs on the thread pool, because it may call application code.
/// </para>
/// <para>
/// An operation of <see cref="SslStream"/> awaits several others. If one of them completes between the check whether it has completed and the registration of
/// the continuation, .NET queues the continuation to the thread pool. If the application blocks the pool, the operation would never complete. So a lock is held
/// while an operation is started, and while a reactor socket completes it. The caller's continuation runs without the lock.
/// </para>
/// </summary>
internal sealed class TlsTransport : IByteTransport, IValueTaskSource<int>, IThreadPoolWorkItem
{
    // RFC 8446, section 6: a fatal protocol_version alert.
    private static readonly byte[] s_versionAlert = [21, 3, 1, 0, 2, 2, 70];

    private static readonly Action<IThreadPoolWorkItem> s_toPool = PoolQueue.Work.Add;

    private readonly Lock _receiving = new();
    private readonly Lock _sending = new();
    private readonly Action _onReceived;
    private readonly IByteTransport _plain;
    private readonly bool _isServer;
    private readonly ReactorSocket? _socket;
    private readonly SslStream _stream;
    private readonly TlsRecordGuard _guard;

    // The pending read with an empty buffer, if a read found no data.
    private ValueTask<int>? _arrival;

    // The caller's receive, and whether its records have arrived. The flag is guarded by _receiving.
    private CompletionCore<int> _receive;
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _receiveAwaiter;
    private bool _isReceived;

    private TlsTransport(IByteTransport plain, bool isServer)
    {
        _plain = plain;
        _isServer = isServer;
        _socket = plain as ReactorSocket;
        _guard = new TlsRecordGuard(isServer, TimeProvider.System);
        _stream = new SslStream(new TransportStream(plain, _guard, _sending), leaveInnerStreamOpen: false);
        _onReceived = OnReceived;
    }

    /// <summary>Gets the peer's validated certificate, or null if none was requested.</summary>
    public X509Certificate2? PeerCertificate => _stream.RemoteCertificate is { } shown ? shown as X509Certificate2 ?? new X509Certificate2(shown) : null;

    /// <summary>Gets the application protocol that was negotiated.</summary>
    public SslApplicationProtocol Protocol => _stream.NegotiatedApplicationProtocol;

    /// <summary>Runs the server's side of the handshake over a connection, which the transport owns from now on.</summary>
    /// <exception cref="AuthenticationException">The peer does not use TLS, or rejects the certificate.</exception>
    /// <exception cref="IOException">The connection was lost.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="limit"/> was cancelled before the handshake completed.</exception>
    /// <param name="plain">The underlying connection.</param>
    /// <param name="options">The server's certificate and the requirements for client certificates.</param>
    /// <param name="limit">Cancels the handshake.</param>
    /// <param name="client">
    /// The address of the client. It determines the client's network, because networks get equal shares of the handshake threads' time.
    /// </param>
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

    /// <summary>
    /// Runs the client's side of the handshake over a connection, which the transport owns from now on. If the server does not use TLS, throws
    /// <see cref="ProtocolMismatchException"/>. The other exceptions are those of <see cref="AcceptAsync"/>.
    /// </summary>
    public static Task<TlsTransport> ConnectAsync(IByteTransport plain, SslClientAuthenticationOptions options, CancellationToken limit) =>
        ShakeHandsAsync(new TlsTransport(plain, isServer: false), stream => stream.AuthenticateAsClientAsync(options, limit), s_toPool, limit);

    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is stored. Its result is taken once, by CompleteReceive.")]
    public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (_socket is null)
        {
            return ReceiveRecordsAsync(buffer);
        }

        lock (_receiving)
        {
            ValueTask<int> receive = ReceiveRecordsAsync(buffer);
            if (receive.IsCompleted)
            {
                return receive;
            }

            _receive.Reset();
            _receiveAwaiter = receive.ConfigureAwait(false).GetAwaiter();
            _receiveAwaiter.UnsafeOnCompleted(_onReceived);
            return new(this, _receive.Version);
        }
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        lock (_sending)
        {
            ValueTask send = _stream.WriteAsync(bytes);
            return send.IsCompleted ? send : new ValueTask(send.AsTask());
        }
    }

    public async ValueTask CompleteAsync()
    {
        Task shutdown;
        lock (_sending)
        {
            shutdown = _stream.ShutdownAsync();
        }

        await shutdown.ConfigureAwait(false);
        await _plain.CompleteAsync().ConfigureAwait(false);
    }

    public void Abort() => _plain.Abort();

    public void Dispose() => _stream.Dispose();

    int IValueTaskSource<int>.GetResult(short token) => _receive.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _receive.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (_receive.OnCompleted(continuation, state, token, flags))
        {
            PoolQueue.Work.Add(static transport => transport._receive.Continue(), this);
        }
    }

    // Completes a receive of the reactor socket, and then the receive of this transport if it has completed too.
    void IThreadPoolWorkItem.Execute()
    {
        bool isReceived;
        lock (_receiving)
        {
            ((IThreadPoolWorkItem)_socket!).Execute();
            isReceived = _isReceived;
            _isReceived = false;
        }

        if (isReceived)
        {
            CompleteReceive();
        }
    }

    private void OnReceived()
    {
        if (_receiving.IsHeldByCurrentThread)
        {
            _isReceived = true;
        }
        else
        {
            // The receive had to wait for a send, for example of a response to a key update.
            CompleteReceive();
        }
    }

    private void CompleteReceive()
    {
        int count;
        try
        {
            count = _receiveAwaiter.GetResult();
        }
#pragma warning disable CA1031 // The exception is passed to the receiver.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _receive.SetException(error);
            return;
        }

        _receive.SetResult(count);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveRecordsAsync(Memory<byte> buffer)
    {
        // This receive waits for the reactor's next event, even if data has already arrived. So the other sockets of the reactor are handled first.
        SetImmediateRead(false);
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

    // Sends a plaintext alert, so that the client can report the cause.
    private static async Task SendPlaintextResponseAsync(IByteTransport plain)
    {
        try
        {
            await plain.SendAsync(s_versionAlert).ConfigureAwait(false);
            await plain.CompleteAsync().ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is IOException or ObjectDisposedException or System.Net.Sockets.SocketException)
        {
            // The client has disconnected.
        }
    }

    private static async Task<TlsTransport> ShakeHandsAsync(
        TlsTransport transport, Func<SslStream, Task> shakeHands, Action<IThreadPoolWorkItem> elsewhere, CancellationToken limit)
    {
        try
        {
            transport.ResumeElsewhere(elsewhere);
            // A pending receive on a reactor can only be cancelled by closing the transport.
            using (limit.UnsafeRegister(static state => ((IByteTransport)state!).Abort(), transport._plain))
            {
                // Continue on another thread, because the handshake threads are needed for other handshakes.
                await transport.ShakeHands(shakeHands).On(PoolQueue.Work);
            }

            limit.ThrowIfCancellationRequested();
            transport._guard.Established(transport._stream.SslProtocol == SslProtocols.Tls13);
            transport.ResumeHere();
            return transport;
        }
        catch (Exception error)
        {
            if (transport._isServer && transport._guard.IsForeign && !limit.IsCancellationRequested)
            {
                await SendPlaintextResponseAsync(transport._plain).ConfigureAwait(false);
            }

            transport.Dispose();
            limit.ThrowIfCancellationRequested();
            if (!transport._isServer && transport._guard.IsForeign)
            {
                throw new ProtocolMismatchException("the port does not use TLS; use an http:// address or the TLS port", error);
            }

            throw;
        }
    }

    // Returns whether a read would complete immediately. This is always true for the first read. For later reads, it is true if more data has arrived. To check
    // this, the method starts a read with an empty buffer. If that read does not complete immediately, it is stored in _arrival.
    private bool HasMore(int count)
    {
        if (count == 0)
        {
            return true;
        }

        if (_socket is { ReadsImmediately: false })
        {
            return false;
        }

        ValueTask<int> arrival = _stream.ReadAsync(Memory<byte>.Empty);
        if (arrival.IsCompletedSuccessfully)
        {
            return true;
        }

        // The read is also stored if it failed. The next receive then reports the error.
        _arrival = arrival;
        return false;
    }

    private void SetImmediateRead(bool isOn)
    {
        if (_socket is not null)
        {
            _socket.ReadsImmediately = isOn;
        }
    }

    private Task ShakeHands(Func<SslStream, Task> shakeHands)
    {
        lock (_receiving)
        {
            lock (_sending)
            {
                return shakeHands(_stream);
            }
        }
    }

    private void ResumeElsewhere(Action<IThreadPoolWorkItem> queue)
    {
        if (_socket is not null)
        {
            _socket.Elsewhere = _ => queue(this);
        }
    }

    private void ResumeHere()
    {
        if (_socket is not null)
        {
            _socket.Elsewhere = _ => ((IThreadPoolWorkItem)this).Execute();
        }
    }
}
