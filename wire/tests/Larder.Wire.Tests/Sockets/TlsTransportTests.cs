using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

public sealed class TlsTransportTests
{
    // The maximum size of a record's content.
    private const int RecordBytes = 16 * 1024;

    private readonly byte[] _room = new byte[128 * 1024];

    [TimedTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Bytes_of_any_size_arrive_complete_in_both_directions(bool onReactor)
    {
        using TlsPair pair = await TlsPair.ConnectAsync(onReactor);
        foreach (int size in (int[])[1, 2, RecordBytes - 1, RecordBytes, RecordBytes + 1, 10 * RecordBytes, (1024 * 1024) + 7])
        {
            byte[] sent = new byte[size];
            new Random(size).NextBytes(sent);
            Task sending = pair.Far.WriteAsync(sent).AsTask();
            Assert.Equal(sent, await ReceiveAsync(pair.Near, size));
            await sending;
            sending = pair.Near.SendAsync(sent).AsTask();
            byte[] received = new byte[size];
            await pair.Far.ReadExactlyAsync(received);
            await sending;
            Assert.Equal(sent, received);
        }
    }

    [TimedTheory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(RecordBytes)]
    [InlineData(RecordBytes + 1)]
    [InlineData(3 * RecordBytes)]
    public async Task Receive_with_small_buffer_leaves_rest_for_next_receive(int roomBytes)
    {
        using TlsPair pair = await TlsPair.ConnectAsync(onReactor: true);
        byte[] sent = new byte[5 * RecordBytes];
        new Random(1).NextBytes(sent);
        Task sending = pair.Far.WriteAsync(sent).AsTask();
        List<byte> received = [];
        while (received.Count < sent.Length)
        {
            int count = await pair.Near.ReceiveAsync(_room.AsMemory(0, roomBytes));
            Assert.InRange(count, 1, roomBytes);
            received.AddRange(_room[..count]);
        }

        await sending;
        Assert.Equal(sent, received);
    }

    [TimedFact]
    public async Task One_Receive_returns_all_available_records()
    {
        using TlsPair pair = await TlsPair.ConnectAsync(onReactor: true);
        int whole = 0;
        for (int record = 0; record < 6; record++)
        {
            await pair.Far.WriteAsync(new byte[RecordBytes - 500]);
            whole += RecordBytes - 500;
        }

        while (pair.Socket.Available < whole)
        {
            await Task.Yield();
        }

        Assert.Equal(whole, await pair.Near.ReceiveAsync(_room));
    }

    [TimedTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Idle_connection_holds_no_receive_buffer(bool onReactor)
    {
        ProbedTransport? probe = null;
        using TlsPair pair = await TlsPair.ConnectAsync(onReactor, plain => probe = new ProbedTransport(plain));
        await pair.Far.WriteAsync(new byte[100]);
        Assert.Equal(100, await pair.Near.ReceiveAsync(_room));
        ValueTask<int> waiting = pair.Near.ReceiveAsync(_room);
        Assert.False(waiting.IsCompleted);
        Assert.Equal(0, probe!.LastRoomBytes);
        await pair.Far.WriteAsync(new byte[1]);
        Assert.Equal(1, await waiting);
    }

    [TimedFact]
    public async Task Record_sent_byte_by_byte_is_received_when_complete()
    {
        (Socket near, Socket far) = await TlsPair.SocketsAsync();
        using X509Certificate2 certificate = TestCertificate.Make();
        far.NoDelay = true;
        using SlowStream slow = new(new NetworkStream(far, ownsSocket: true));
        await using SslStream client = new(slow, leaveInnerStreamOpen: false, TestCertificate.IsIt(certificate));
        Task<TlsTransport> accepting = TlsTransport.AcceptAsync(
            new ReactorSocket(near), new SslServerAuthenticationOptions { ServerCertificate = certificate }, CancellationToken.None);
        await client.AuthenticateAsClientAsync("localhost");
        using TlsTransport transport = await accepting;
        Task sending = client.WriteAsync(new byte[300]).AsTask();
        Assert.Equal(300, await transport.ReceiveAsync(_room));
        await sending;
    }

    [TimedTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Receive_returns_0_repeatedly_after_peer_closes(bool onReactor)
    {
        using TlsPair pair = await TlsPair.ConnectAsync(onReactor);
        await pair.Far.WriteAsync(new byte[10]);
        await pair.Far.ShutdownAsync();
        Assert.Equal(10, (await ReceiveAsync(pair.Near, 10)).Length);
        Assert.Equal(0, await pair.Near.ReceiveAsync(_room));
        Assert.Equal(0, await pair.Near.ReceiveAsync(_room));
    }

    [TimedTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Abort_fails_pending_receive(bool onReactor)
    {
        using TlsPair pair = await TlsPair.ConnectAsync(onReactor);
        Task receiving = pair.Near.ReceiveAsync(_room).AsTask();
        pair.Near.Abort();
        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => receiving);
        Assert.True(error is IOException or ObjectDisposedException or SocketException or OperationCanceledException, error.ToString());
    }

    [TimedFact]
    public async Task Receive_throws_when_record_was_tampered_with()
    {
        (Socket near, Socket far) = await TlsPair.SocketsAsync();
        using X509Certificate2 certificate = TestCertificate.Make();
        using SlowStream changing = new(new NetworkStream(far, ownsSocket: true));
        await using SslStream client = new(changing, leaveInnerStreamOpen: false, TestCertificate.IsIt(certificate));
        Task<TlsTransport> accepting = TlsTransport.AcceptAsync(
            new ReactorSocket(near), new SslServerAuthenticationOptions { ServerCertificate = certificate }, CancellationToken.None);
        await client.AuthenticateAsClientAsync("localhost");
        using TlsTransport transport = await accepting;
        changing.ChangesLast = true;
        await client.WriteAsync(new byte[300]);
        await Assert.ThrowsAnyAsync<IOException>(async () => await transport.ReceiveAsync(_room));
    }

    [TimedTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Cancelled_accept_of_silent_peer_closes_connection(bool onReactor)
    {
        (Socket near, Socket far) = await TlsPair.SocketsAsync();
        using X509Certificate2 certificate = TestCertificate.Make();
        using CancellationTokenSource limit = new(TimeSpan.FromMilliseconds(50));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => TlsTransport.AcceptAsync(
            onReactor ? new ReactorSocket(near) : new SocketTransport(near),
            new SslServerAuthenticationOptions { ServerCertificate = certificate },
            limit.Token));
        // The connection is closed, so the peer's read fails with a reset.
        await Assert.ThrowsAsync<SocketException>(async () => await far.ReceiveAsync(_room));
        far.Dispose();
    }

    [TimedTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Accept_rejects_bytes_that_are_not_TLS(bool onReactor)
    {
        (Socket near, Socket far) = await TlsPair.SocketsAsync();
        using X509Certificate2 certificate = TestCertificate.Make();
        Task<TlsTransport> accepting = TlsTransport.AcceptAsync(
            onReactor ? new ReactorSocket(near) : new SocketTransport(near),
            new SslServerAuthenticationOptions { ServerCertificate = certificate },
            CancellationToken.None);
        await far.SendAsync("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8.ToArray());
        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => accepting);
        Assert.True(error is AuthenticationException or IOException, error.ToString());
        far.Dispose();
        Assert.True(near.SafeHandle.IsClosed);
    }

    [TimedFact]
    public async Task Slow_handshake_does_not_block_other_sockets()
    {
        using X509Certificate2 certificate = TestCertificate.Make();
        using ManualResetEventSlim letGo = new();
        using ManualResetEventSlim atWork = new();
        (Socket near, Socket far) = await TlsPair.SocketsAsync();
        SslServerAuthenticationOptions options = new()
        {
            ServerCertificateSelectionCallback = (_, _) =>
            {
                atWork.Set();
                letGo.Wait(TestCalls.Patience);
                return certificate;
            },
        };
        Task<TlsTransport> accepting = TlsTransport.AcceptAsync(new ReactorSocket(near), options, CancellationToken.None);
        await using SslStream client = new(new NetworkStream(far, ownsSocket: true), leaveInnerStreamOpen: false, TestCertificate.IsIt(certificate));
        Task shaking = client.AuthenticateAsClientAsync("localhost");
        await Task.Run(atWork.Wait);
        for (int index = 0; index < Reactor.Count; index++)
        {
            using SocketPair pair = await SocketPair.ConnectAsync(Reactor.At(index));
            ValueTask<int> receive = pair.Near.ReceiveAsync(_room);
            await pair.Far.SendAsync(new byte[] { 1 });
            Assert.Equal(1, await receive);
        }

        letGo.Set();
        await shaking;
        (await accepting).Dispose();
    }

    [TimedTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Second_connection_resumes_TLS_session(bool onReactors)
    {
        using X509Certificate2 certificate = TestCertificate.Make();
        var context = SslStreamCertificateContext.Create(certificate, null, offline: true);
        Assert.False(await ResumesAsync(context, certificate, onReactors));
        Assert.True(await ResumesAsync(context, certificate, onReactors));
    }

    // Returns whether the server resumes a session that the client offers (RFC 8446, section 4.2.11).
    private async Task<bool> ResumesAsync(SslStreamCertificateContext context, X509Certificate2 certificate, bool onReactors)
    {
        (Socket near, Socket far) = await TlsPair.SocketsAsync();
        ProbedTransport probe = new(onReactors ? new ReactorSocket(near) : new SocketTransport(near));
        Task<TlsTransport> accepting = TlsTransport.AcceptAsync(
            probe, new SslServerAuthenticationOptions { ServerCertificateContext = context }, CancellationToken.None);
        SslClientAuthenticationOptions options = new()
        {
            // Sessions are cached by host name, so each certificate and socket type has its own name.
            TargetHost = $"{context.TargetCertificate.Thumbprint}.{onReactors}",
            RemoteCertificateValidationCallback = TestCertificate.IsIt(certificate),
        };
        using TlsTransport client = await TlsTransport.ConnectAsync(
            onReactors ? new ReactorSocket(far) : new SocketTransport(far), options, CancellationToken.None);
        using TlsTransport server = await accepting;
        // The client reads, because the session ticket arrives with the first bytes.
        await server.SendAsync(new byte[1]);
        Assert.Equal(1, await client.ReceiveAsync(_room));
        return ServerHello.ExtensionsOf(probe.FirstSent).Contains(ServerHello.PreSharedKey);
    }

    private async Task<byte[]> ReceiveAsync(TlsTransport transport, int bytes)
    {
        List<byte> received = [];
        while (received.Count < bytes)
        {
            int count = await transport.ReceiveAsync(_room);
            Assert.True(count > 0, $"it ended after {received.Count} of {bytes} bytes");
            received.AddRange(_room[..count]);
        }

        return [.. received];
    }
}
