using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// One HTTP/2 connection of a server (RFC 9113): reads frames, runs calls, writes their answers.
/// </summary>
/// <remarks>
/// One loop a connection. It takes what has arrived, in one receive of up to 128 KB, and runs every call that is complete on its own thread, one
/// after another; their answers gather and leave in one send when all that had arrived is done. So a call costs no hand-over between threads, and the
/// more calls arrive together, the less each costs. A handler that waits goes on elsewhere and answers later, out of order. Bounds: streams
/// (<see cref="RpcServerOptions.MaxStreamsPerConnection"/>), the receive windows, and <see cref="MaxPendingBytes"/> of answers not yet taken,
/// past which nothing more is read.
/// </remarks>
internal sealed partial class RpcConnection : IDisposable
{
    // HTTP/1 is told in its own words what is spoken here.
    private static readonly byte[] Http1Refusal =
    [
        .. "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 41\r\nConnection: close\r\n\r\n"u8,
        .. "This port speaks gRPC over HTTP/2 alone.\n"u8,
    ];

    private readonly IByteTransport _transport;
    private readonly RpcRouter _router;
    private readonly RpcServerOptions _options;
    private readonly FloodGuard _floods;
    private readonly ReceiveBuffer _received;
    private readonly Lock _lock = new();

    // Held while what has arrived is handled: whoever ends a call from elsewhere must not do so under the eyes of that thread. Taken before _lock.
    private readonly Lock _turn = new();
    private bool _hasPreface;

    // Whether the settings were said. Under _lock.
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

    // Coarse and cheap; it decides of seconds.
    private static long NowMs => Environment.TickCount64;

    /// <summary>Where it comes from; null where that is not known.</summary>
    public IPAddress? RemoteAddress { get; init; }

    /// <summary>What the peer showed in the TLS handshake; null where it was asked for nothing.</summary>
    public X509Certificate2? RemoteCertificate { get; init; }

    /// <summary>Whether a caller on it was known. Set by the receiving thread.</summary>
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

    /// <summary>Called when the first caller on the connection is known.</summary>
    public Action? OnAuthenticated { private get; init; }

    /// <summary>Whether a call is open on it. From any thread.</summary>
    public bool HasStreams => _streams.Count > 0;

    /// <summary>What is kept of the last caller that was known on it.</summary>
    public object? Caller { get; set; }

    /// <summary>What an observer keeps with the connection. Set by the receiving thread.</summary>
    public object? Tag { get; set; }

    /// <summary>Serves the connection to its end, and lets go of its calls and its transport, however it ends.</summary>
    /// <remarks>What it throws is a fault of the server's own; the connection has ended then too.</remarks>
    public async Task RunAsync()
    {
        string reason = "The connection is gone.";
        try
        {
            await ReceiveUntilEndAsync().ConfigureAwait(false);
        }
        catch (Http2ConnectionException broken)
        {
            reason = broken.Message;
            await HoldAsync(broken.Code).ConfigureAwait(false);
            await SayGoodbyeAsync(broken.Code).ConfigureAwait(false);
        }
        catch (TlsFloodException flood)
        {
            reason = flood.Message;
            await HoldAsync(Http2ErrorCode.EnhanceYourCalm).ConfigureAwait(false);
            await SayGoodbyeAsync(Http2ErrorCode.EnhanceYourCalm).ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException or OperationCanceledException or TimeoutException)
        {
            // The peer is gone or takes nothing, or the connection was aborted: nobody is left to tell.
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

    /// <summary>Ends the connection at once.</summary>
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

    /// <summary>Gives the buffers back; those that a send may still read once it has ended.</summary>
    public void Dispose()
    {
        _frames.Dispose();
        _received.Dispose();
        lock (_lock)
        {
            _pump.Dispose();
            _block.Dispose();

            // What remains is objects; the buffers went back to their pools.
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

    /// <summary>Handles what has arrived; false if it stopped because answers are not taken, or to give way to other connections.</summary>
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

    // HTTP/1 begins with a method in capitals, TLS with a handshake record: a client of TLS can tell from any answer in plaintext that the port speaks no TLS.
    // Anything else is closed without an answer.
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
            RunWaitingIfRoom();
        }

        foreach (RpcStream stream in streams)
        {
            Abandon(stream, reason);
        }
    }
}
