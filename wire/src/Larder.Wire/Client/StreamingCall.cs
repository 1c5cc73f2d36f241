using System.Buffers;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// A call with one request and a stream of responses. Only one read may be pending at a time. Unread data stays in the stream's window, and the
/// server waits when the window is full. A call may stay open for days.
/// </summary>
public sealed class StreamingCall : IDisposable
{
    // The size of the buffer that an idle call keeps. Many such calls are open at once. A call has a larger buffer only while it reads a large message.
    private const int BufferBytes = 4 * 1024;

    private readonly RpcChannelOptions _options;
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _deadline;
    private readonly CancellationTokenSource _ended;
    private readonly TimeSpan? _timeout;
    private readonly PooledBuffer _buffer = new(BufferBytes);
    private CancellationTokenRegistration _registration;
    private StreamingStream? _stream;
    private int _consumed;
    private FrameHeader _present;

    internal StreamingCall(RpcChannelOptions options, TimeSpan? timeout, CancellationToken caller)
    {
        _options = options;
        _caller = caller;
        _timeout = timeout;
        _deadline = new CancellationTokenSource(timeout ?? Timeout.InfiniteTimeSpan, options.TimeProvider);
        _ended = CancellationTokenSource.CreateLinkedTokenSource(caller, _deadline.Token);
    }

    /// <summary>Returns the value of the first response header with this name, or null if there is none.</summary>
    /// <param name="name">The name in lower case.</param>
    public string? FindHeader(string name) => _stream?.Head.FindHeader(name);

    internal async Task SendAsync<TRequest, TResponse>(
        Func<StreamingStream, TimeSpan?, CancellationToken, Task> start, RpcMethod<TRequest, TResponse> method, TRequest request, RpcHeaders headers)
    {
        byte[] frame = FrameOf(method.Requests, request);
        StreamingStream stream = new(method.Path, headers, _timeout is { } timeout ? RpcTimeout.Format(timeout) : null, frame, endsRequest: true);
        try
        {
            await start(stream, _timeout, _ended.Token).On(PoolQueue.Work);
            _stream = stream;
            _registration = _ended.Token.UnsafeRegister(static state => ((Http2Stream)state!).Cancel(), stream);
            await stream.Opened.On(PoolQueue.Work);
            stream.ThrowIfFailed();
        }
        catch (Exception error) when (error is not RpcException || _ended.IsCancellationRequested)
        {
            throw CallFailure.From(error, _deadline.IsCancellationRequested, _caller);
        }
    }

    /// <summary>Reads until the next message is complete. Returns true if there is a message, or false if the server has ended the stream with OK.</summary>
    /// <exception cref="RpcException">The stream ended with another status, or the message is too large.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
    public async ValueTask<bool> ReadMessageAsync()
    {
        try
        {
            while (!TryFindMessage())
            {
                int read = await _stream!.ReadAsync(_buffer.GetMemory(BufferBytes)).ConfigureAwait(false);
                if (read == 0)
                {
                    return _buffer.Written == _consumed
                        ? false
                        : throw new RpcException(new Status(StatusCode.Internal, "The stream ended in the middle of a message."));
                }

                _buffer.Advance(read);
            }

            return true;
        }
        catch (Exception error) when (error is not RpcException)
        {
            throw CallFailure.From(error, _deadline.IsCancellationRequested, _caller);
        }
    }

    /// <summary>Decodes the message that was read. Call this method once per message.</summary>
    /// <exception cref="RpcException">The message cannot be decompressed or decoded.</exception>
    public T Decode<T>(MessageCodec<T> codec)
    {
        ArgumentNullException.ThrowIfNull(codec);
        ReadOnlySequence<byte> payload = new(_buffer.WrittenMemory.Slice(_consumed + FrameHeader.Size, (int)_present.Length));
        _consumed += FrameHeader.Size + (int)_present.Length;
        if (!_present.IsCompressed)
        {
            return codec.Decode(payload);
        }

        MessageEncoding.CheckGzip(_stream!.Head.Encoding);
        using PooledBuffer inflated = MessageEncoding.Inflate(payload, _options.MaxReceiveMessageBytes);
        return codec.Decode(new ReadOnlySequence<byte>(inflated.WrittenMemory));
    }

    /// <summary>Cancels the call if it has not ended. No read may be pending.</summary>
    public void Dispose()
    {
        // A response that was not read to its end is reset. The server then treats the call as cancelled.
        _registration.Dispose();
        _stream?.Release();
        _ended.Dispose();
        _deadline.Dispose();
        _buffer.Dispose();
    }

    private static byte[] FrameOf<T>(MessageCodec<T> codec, T message)
    {
        using PooledBuffer frame = new(BufferBytes);
        int length = codec.Measure(message);
        FrameHeader.Write(frame.GetSpan(FrameHeader.Size + length), length);
        frame.Advance(FrameHeader.Size);
        codec.Encode(message, frame);
        return frame.WrittenSpan.ToArray();
    }

    private bool TryFindMessage()
    {
        ReadOnlySpan<byte> rest = _buffer.WrittenSpan[_consumed..];
        if (rest.Length >= FrameHeader.Size)
        {
            _present = FrameHeader.Read(rest);
            if (_present.Length > (uint)_options.MaxReceiveMessageBytes)
            {
                throw new RpcException(MessageLimit.Exceeded(_options.MaxReceiveMessageBytes));
            }

            if (rest.Length - FrameHeader.Size >= (int)_present.Length)
            {
                return true;
            }
        }

        Compact(rest);
        return false;
    }

    private void Compact(ReadOnlySpan<byte> rest)
    {
        if (_consumed == 0)
        {
            return;
        }

        _consumed = 0;
        if (rest.IsEmpty)
        {
            _buffer.Reset(BufferBytes);
            return;
        }

        rest.CopyTo(_buffer.WrittenSpan);
        _buffer.Truncate(rest.Length);
    }
}
