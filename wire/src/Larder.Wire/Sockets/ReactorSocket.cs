using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks.Sources;
using Larder.Wire.Threads;

namespace Larder.Wire.Sockets;

/// <summary>
/// A connected socket on a <see cref="Reactor"/>. One receive and one send may be in progress at the same time, on different threads. The continuation of a
/// receive runs on the reactor's thread and must not block it, unless <see cref="Elsewhere"/> is set. The continuation of a send that had to wait runs in
/// <see cref="PoolQueue.Work"/>.
/// </summary>
internal sealed class ReactorSocket : IByteTransport, IValueTaskSource<int>, IThreadPoolWorkItem
{
    private readonly Socket _socket;
    private readonly int _descriptor;
    private readonly Reactor _reactor;
    private readonly Lock _lock = new();
    private CompletionCore<int> _receive;
    private Memory<byte> _buffer;
    private TaskCompletionSource? _room;
    private uint _interest;
    private int _isWaiting;
    private int _arrived;
    private Exception? _error;
    private bool _isClosed;

    /// <summary>
    /// Takes over a socket. The socket must not have been used asynchronously, because otherwise .NET would also watch it. If <paramref name="reactor"/> is
    /// null, the next reactor is used.
    /// </summary>
    public ReactorSocket(Socket socket, Reactor? reactor = null)
    {
        _socket = socket;
        _socket.Blocking = false;
        _descriptor = (int)socket.Handle;
        _reactor = reactor ?? Reactor.Next();
        Token = _reactor.Register(this);
    }

    /// <summary>Gets the socket's token on the reactor.</summary>
    public long Token { get; }

    /// <summary>Gets whether the reactor watches the socket for any event.</summary>
    public bool IsWatched => Volatile.Read(ref _interest) != 0;

    /// <summary>The timestamp of the last event that the reactor delivered. Used only by the reactor.</summary>
    public long LastTurn { get; set; }

    /// <summary>Whether handling the last event took longer than <see cref="Reactor.LongTurn"/>. Used only by the reactor.</summary>
    public bool TakesLong { get; set; }

    /// <summary>Connects to an address.</summary>
    /// <exception cref="SocketException">The peer cannot be reached.</exception>
    /// <exception cref="OperationCanceledException">The connection attempt was cancelled or timed out.</exception>
    public static async Task<ReactorSocket> ConnectAsync(IPEndPoint address, CancellationToken cancellationToken, Reactor? reactor = null)
    {
        ReactorSocket connecting = new(new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }, reactor);
        try
        {
            await connecting.ConnectedAsync(address, cancellationToken).On(PoolQueue.Work);
            return connecting;
        }
        catch
        {
            connecting.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Gets or sets the function that runs or queues the work item that completes a receive. It is used for continuations that would delay the reactor's other
    /// sockets. If null, the continuation runs on the reactor's thread. Change this property only while no receive is awaited.
    /// </summary>
    public Action<IThreadPoolWorkItem>? Elsewhere { private get; set; }

    /// <summary>Gets the number of bytes of the last receive.</summary>
    public int ArrivedBytes => _arrived;

    /// <summary>
    /// Whether the next receive tries to read immediately instead of waiting for an event. The value becomes true when a receive with an empty buffer ends. It
    /// stays true as long as each receive fills its buffer. Used only by the receiver.
    /// </summary>
    public bool ReadsImmediately { get; set; }

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (ReadsImmediately && TryReceive(buffer, out int count))
        {
            return new(count);
        }

        _receive.Reset();
        _buffer = buffer;
        ValueTask<int> task = new(this, _receive.Version);
        Interlocked.Exchange(ref _isWaiting, 1);
        // If no receive is waiting, the reactor stops watching for readability and then checks again. So at least one of the two threads sees the change of the
        // other.
        if ((Volatile.Read(ref _interest) & Epoll.Readable) == 0 || Volatile.Read(ref _isClosed))
        {
            ListenAgain();
        }

        return task;
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        int sent = SendSome(bytes.Span);
        return sent == bytes.Length ? default : SendRestAsync(bytes[sent..]);
    }

    public ValueTask CompleteAsync()
    {
        _socket.Shutdown(SocketShutdown.Send);
        return ValueTask.CompletedTask;
    }

    public void Abort()
    {
        ResetOnClose.Set(_socket);
        Dispose();
    }

    /// <summary>Closes the connection. A waiting receive and a waiting send fail.</summary>
    public void Dispose()
    {
        TaskCompletionSource? room;
        lock (_lock)
        {
            if (_isClosed)
            {
                return;
            }

            SetInterest(0);
            Volatile.Write(ref _isClosed, true);
            room = _room;
            _room = null;
        }

        _reactor.Forget(Token);
        _socket.Dispose();
        room?.TrySetException(new ObjectDisposedException(nameof(ReactorSocket)));
        FailWaiting();
    }

    /// <summary>Handles events. Called on the reactor's thread.</summary>
    public void OnEvents(uint events)
    {
        // An error or a hang-up counts as both readable and writable, so that the next receive or send reports it.
        if ((events & ~Epoll.Readable) != 0)
        {
            OnWritable();
        }

        if ((events & ~Epoll.Writable) != 0)
        {
            OnReadable();
        }
    }

    int IValueTaskSource<int>.GetResult(short token) => _receive.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _receive.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (_receive.OnCompleted(continuation, state, token, flags))
        {
            PoolQueue.Work.Add(static socket => socket._receive.Continue(), this);
        }
    }

    private void OnReadable()
    {
        if (Interlocked.Exchange(ref _isWaiting, 0) == 0)
        {
            // No receive is waiting, because the reader is still processing the previous bytes.
            lock (_lock)
            {
                SetInterest(_interest & ~Epoll.Readable);
            }

            Interlocked.MemoryBarrier();
            if (Volatile.Read(ref _isWaiting) == 1)
            {
                ListenAgain();
            }

            return;
        }

        try
        {
            ReadsImmediately = _buffer.IsEmpty;
            if (!TryReceive(_buffer, out _arrived))
            {
                Interlocked.Exchange(ref _isWaiting, 1);
                if (Volatile.Read(ref _isClosed))
                {
                    FailWaiting();
                }

                return;
            }
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException)
        {
            _error = error;
        }

        CompleteReceive();
    }

    private void CompleteReceive()
    {
        if (Elsewhere is { } queue)
        {
            queue(this);
        }
        else
        {
            ((IThreadPoolWorkItem)this).Execute();
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_error is not null)
        {
            _receive.SetException(_error);
        }
        else
        {
            _receive.SetResult(_arrived);
        }
    }

    // Tries to receive. Returns false if no data has arrived yet.
    private bool TryReceive(Memory<byte> buffer, out int count)
    {
        count = 0;
        if (buffer.IsEmpty)
        {
            return true;
        }

        count = _socket.Receive(buffer.Span, SocketFlags.None, out SocketError error);
        ReadsImmediately &= error == SocketError.Success && count == buffer.Length;
        return error switch
        {
            SocketError.Success => true,
            SocketError.WouldBlock => false,
            _ => throw Lost(error),
        };
    }

    private void ListenAgain()
    {
        lock (_lock)
        {
            SetInterest(_interest | Epoll.Readable);
        }

        if (Volatile.Read(ref _isClosed))
        {
            FailWaiting();
        }
    }

    private void FailWaiting()
    {
        if (Interlocked.Exchange(ref _isWaiting, 0) == 1)
        {
            // The continuation does not run on this thread, because the closing thread may hold locks.
            _error = new ObjectDisposedException(nameof(ReactorSocket));
            PoolQueue.Work.Add(static socket => socket.CompleteReceive(), this);
        }
    }

    // Changes the events for which the reactor watches the socket. The caller must hold the lock.
    private void SetInterest(uint interest)
    {
        if (!_isClosed && interest != _interest)
        {
            uint before = _interest;
            Volatile.Write(ref _interest, interest);
            _reactor.Watch(_descriptor, before, interest, Token);
        }
    }

    private int SendSome(ReadOnlySpan<byte> bytes)
    {
        int sent = _socket.Send(bytes, SocketFlags.None, out SocketError error);
        return error switch
        {
            SocketError.Success => sent,
            SocketError.WouldBlock => 0,
            _ => throw Lost(error),
        };
    }

    private static IOException Lost(SocketError error)
    {
        SocketException cause = new((int)error);
        return new IOException(cause.Message, cause);
    }

    private async ValueTask SendRestAsync(ReadOnlyMemory<byte> rest)
    {
        while (!rest.IsEmpty)
        {
            // The send continues in the pool queue, because it would delay the reactor's other sockets too long.
            await WaitForBufferSpace().On(PoolQueue.Work);
            rest = rest[SendSome(rest.Span)..];
        }
    }

    private async Task ConnectedAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        try
        {
            _socket.Connect(address);
            return;
        }
        catch (SocketException error) when (error.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress or SocketError.IOPending)
        {
            // The connection attempt is in progress. It has not failed.
        }

        await WaitForBufferSpace().WaitAsync(cancellationToken).On(PoolQueue.Work);
        if (_socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error) is int and not 0 and var code)
        {
            throw new SocketException(code);
        }
    }

    private Task WaitForBufferSpace()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            _room = new TaskCompletionSource();
            SetInterest(_interest | Epoll.Writable);
            return _room.Task;
        }
    }

    private void OnWritable()
    {
        TaskCompletionSource? room;
        lock (_lock)
        {
            room = _room;
            _room = null;
            SetInterest(_interest & ~Epoll.Writable);
        }

        room?.TrySetResult();
    }
}
