using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>The server's side of an HTTP/2 connection (RFC 9113): reads frames, runs calls and writes responses.</summary>
/// <remarks>
/// There is one loop per connection. Each receive reads up to 128 KB. The complete calls in this data run on the loop's thread, one call after another. The
/// responses accumulate and are sent together when all received data has been handled. So a call needs no thread switch, and each call costs less if more calls
/// arrive together. A handler that waits continues on another thread and completes out of order. A connection is limited by its number of streams
/// (<see cref="RpcServerOptions.MaxStreamsPerConnection"/>), by the receive windows, and by <see cref="MaxPendingBytes"/> of unsent responses. Above the last
/// limit, nothing more is read.
/// </remarks>
internal sealed partial class RpcConnection : IDisposable
{
    // The response to HTTP/1 clients. It states the protocol of this port.
    private static readonly byte[] Http1Refusal =
    [
        .. "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 41\r\nConnection: close\r\n\r\n"u8,
        .. "This port accepts only gRPC over HTTP/2.\n"u8,
    ];

    private readonly IByteTransport _transport;
    private readonly RpcRouter _router;
    private readonly RpcServerOptions _options;
    private readonly FloodGuard _floods;
    private readonly ReceiveBuffer _received;
    private readonly Lock _lock = new();

    // This lock is held while received data is handled, so that other threads do not end a call that the receiving thread is working on. If a thread needs both
    // locks, it must acquire this lock before _lock.
    private readonly Lock _turn = new();
    private bool _hasPreface;

    // True if the settings have been sent. Guarded by _lock.
    private bool _hasOpened;
    private long _lastReceivedMs;
    private long _openedMs;

    public RpcConnection(IByteTransport transport, RpcRouter router, RpcServerOptions options)
    {
        _transport = transport;
        _pump = new OutputPump(transport, _lock, this, KeptBytes);
        _frames = new FrameInput(this);
        _router = router;
        _options = options;
        _floods = new FloodGuard(TimeProvider.System);
        _account = new BufferAccount(options.Budget, options.UnauthenticatedBudget);
        _received = new ReceiveBuffer(_account);
        _receiving.Open(options.WindowBytes);
        _openedMs = NowMs;
        _lastReceivedMs = NowMs;
        _idleSinceMs = NowMs;
    }

    // This clock is coarse and cheap. It is precise enough, because the timeouts are in seconds.
    private static long NowMs => Environment.TickCount64;

    /// <summary>Gets the client's address; null if unknown.</summary>
    public IPAddress? RemoteAddress { get; init; }

    /// <summary>Gets the client's TLS certificate; null if none was requested.</summary>
    public X509Certificate2? RemoteCertificate { get; init; }

    /// <summary>Gets or sets whether a caller on the connection was authenticated. Set by the receiving thread. Once true, the value stays true.</summary>
    public bool IsKnown
    {
        get;
        set
        {
            if (value && !field)
            {
                _account.Authenticate();
                OnAuthenticated?.Invoke();
            }

            field |= value;
        }
    }

    /// <summary>Gets a callback that is called for the first authenticated caller on the connection.</summary>
    public Action? OnAuthenticated { private get; init; }

    /// <summary>Gets whether the connection has open calls. Can be read on any thread.</summary>
    public bool HasStreams => _streams.Count > 0;

    /// <summary>Gets or sets data about the last authenticated caller.</summary>
    public object? Caller { get; set; }

    /// <summary>Gets or sets a value that an observer attaches to the connection. Set by the receiving thread.</summary>
    public object? Tag { get; set; }

    /// <summary>Serves the connection until it ends, and then releases its calls and its transport.</summary>
    /// <remarks>If an exception is thrown, it is an internal error of the server. The connection has then also ended.</remarks>
    public async Task RunAsync()
    {
        string reason = "The connection was closed.";
        try
        {
            await ReceiveUntilEndAsync().ConfigureAwait(false);
        }
        catch (Http2ConnectionException broken)
        {
            reason = broken.Message;
            await HoldAsync(broken.Code).ConfigureAwait(false);
            await SendGoAwayAsync(broken.Code).ConfigureAwait(false);
        }
        catch (TlsFloodException flood)
        {
            reason = flood.Message;
            await HoldAsync(Http2ErrorCode.EnhanceYourCalm).ConfigureAwait(false);
            await SendGoAwayAsync(Http2ErrorCode.EnhanceYourCalm).ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException or OperationCanceledException or TimeoutException)
        {
            // The client has disconnected or does not read, or the connection was aborted. In all cases the client would not receive a GOAWAY.
        }
        finally
        {
            try
            {
                End(reason);
            }
            finally
            {
                _transport.Dispose();
            }
        }
    }

    /// <summary>Aborts the connection immediately.</summary>
    public void Abort()
    {
        _isClosing = true;
        _transport.Abort();
        lock (_lock)
        {
            _isGone = true;
            _pump.Stop();
            _room?.TrySetResult();
            _held?.TrySetResult();
        }
    }

    /// <summary>Releases the buffers. Buffers that a send may still read are released when the send ends.</summary>
    public void Dispose()
    {
        _frames.Dispose();
        _received.Dispose();
        lock (_lock)
        {
            _pump.Dispose();
            _block.Dispose();

            // The buffers have been returned to their pools. The bytes that are still counted belong to objects that the garbage collector must free.
            IdleMemory.OfProcess.Dropped(_account.TakenBytes);
            DropFree();
            LowerMaxPending();
        }
    }

    private async Task ReceiveUntilEndAsync()
    {
        while (!_isClosing)
        {
            ValueTask<int> receive = _transport.ReceiveAsync(_received.Room());
            bool hasWaited = !receive.IsCompleted;
            int count = await receive.ConfigureAwait(false);
            if (hasWaited)
            {
                _slice.Begin(Stopwatch.GetTimestamp());
            }

            if (count == 0)
            {
                return;
            }

            _lastReceivedMs = NowMs;
            _received.Received(count);
            while (!RunTurn() && !_isClosing)
            {
                if (_slice.IsOver)
                {
                    await YieldAsync();
                }

                await WaitForRoomAsync().ConfigureAwait(false);
            }
        }

        await WaitUntilSentAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Handles the received data. Returns false if it did not handle all data, because the output buffer is full or because it yields to other connections.
    /// </summary>
    private bool RunTurn()
    {
        using Lock.Scope turn = _turn.EnterScope();
        BeginTurn();
        bool isDone;
        try
        {
            int before = _received.Unread.Length;
            isDone = HandleFrames();
            NoteUnfinishedFrame(isWhole: _received.Unread.Length < before);
            WakeReaders();
        }
        finally
        {
            EndTurn();
        }

        return isDone && !IsFull;
    }

    private bool HandleFrames()
    {
        if (!_hasPreface && !TryTakePreface())
        {
            return true;
        }

        while (!_isClosing)
        {
            int taken = _frames.Take(_received.Unread);
            if (taken == 0)
            {
                return true;
            }

            _received.Consume(taken);
            if (IsFull || _slice.Count())
            {
                return false;
            }
        }

        return true;
    }

    private bool TryTakePreface()
    {
        ReadOnlySpan<byte> unread = _received.Unread;
        ReadOnlySpan<byte> preface = ConnectionPreface.Bytes;
        int known = Math.Min(unread.Length, preface.Length);
        if (!unread[..known].SequenceEqual(preface[..known]))
        {
            RefuseHttp1(unread);
            return false;
        }

        if (known < preface.Length)
        {
            return false;
        }

        _received.Consume(preface.Length);
        _hasPreface = true;
        WriteOpening();
        return true;
    }

    // Responds to HTTP/1 and TLS clients. HTTP/1 begins with an upper-case method, and TLS begins with a handshake record. A TLS client that receives any
    // plaintext response detects that the port does not use TLS. Other connections are closed without a response.
    private void RefuseHttp1(ReadOnlySpan<byte> bytes)
    {
        const byte TlsHandshake = 22;
        if (char.IsAsciiLetterUpper((char)bytes[0]) || bytes[0] == TlsHandshake)
        {
            lock (_lock)
            {
                Gathered.Add(Http1Refusal);
            }
        }

        _isClosing = true;
    }

    private void End(string reason)
    {
        List<RpcStream> streams;
        lock (_lock)
        {
            _hasEnded = true;
            _pump.Stop();
            streams = [.. _streams.Values];
            foreach (RpcStream stream in streams)
            {
                stream.Output.EndFlush(isCompleted: true);
            }

            _room?.TrySetResult();
            RunWaitingIfSpace();
        }

        foreach (RpcStream stream in streams)
        {
            Abandon(stream, reason);
        }
    }
}
