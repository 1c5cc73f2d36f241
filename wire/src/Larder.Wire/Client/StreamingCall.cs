using System.Buffers;
using System.Net.Http;

namespace Larder.Wire;

/// <summary>A call with one request and a stream of answers, as its reader drives it.</summary>
internal sealed class StreamingCall : IDisposable
{
    private const int BufferBytes = 16 * 1024;

    private readonly RpcChannelOptions _options;
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _deadline;
    private readonly CancellationTokenSource _ended;
    private readonly TimeSpan? _timeout;
    private readonly FrameContent _content = new();
    private readonly PooledBuffer _buffer = new(BufferBytes);
    private HttpRequestMessage? _request;
    private HttpResponseMessage? _response;
    private Stream? _body;
    private int _consumed;
    private FrameHeader _present;

    public StreamingCall(RpcChannelOptions options, TimeSpan? timeout, CancellationToken caller)
    {
        _options = options;
        _caller = caller;
        _timeout = timeout;
        _deadline = new CancellationTokenSource(timeout ?? Timeout.InfiniteTimeSpan, options.TimeProvider);
        _ended = CancellationTokenSource.CreateLinkedTokenSource(caller, _deadline.Token);
    }

    public async Task SendAsync<TRequest, TResponse>(HttpMessageInvoker invoker, RpcMethod<TRequest, TResponse> method, TRequest request, RpcHeaders headers)
    {
        _content.Set(method.Requests, request);
        _request = RequestFactory.Create(_content);
        _request.RequestUri = method.AddressAt(_options.Endpoint);
        RequestFactory.SetHeaders(_request, headers, _timeout is { } timeout ? RpcTimeout.Format(timeout) : null, _options.AcceptGzip);
        try
        {
            _response = await invoker.SendAsync(_request, _ended.Token).ConfigureAwait(false);
            ResponseStatus.CheckHeaders(_response);
            _body = await _response.Content.ReadAsStreamAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not RpcException)
        {
            throw CallFailure.From(error, _deadline.IsCancellationRequested, _caller);
        }
    }

    /// <summary>Reads until the next message is whole; false when the server has ended the stream with OK.</summary>
    public async ValueTask<bool> ReadMessageAsync()
    {
        try
        {
            while (!TryFindMessage())
            {
                int read = await _body!.ReadAsync(_buffer.GetMemory(BufferBytes), _ended.Token).ConfigureAwait(false);
                if (read == 0)
                {
                    ResponseStatus.CheckTrailers(_response!);
                    return _buffer.Written == _consumed
                        ? false
                        : throw new RpcException(new Status(StatusCode.Internal, "The stream ended within a message."));
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

    /// <summary>The message that was found.</summary>
    public T Decode<T>(MessageCodec<T> codec)
    {
        ReadOnlySequence<byte> payload = new(_buffer.WrittenMemory.Slice(_consumed + FrameHeader.Size, (int)_present.Length));
        _consumed += FrameHeader.Size + (int)_present.Length;
        if (!_present.IsCompressed)
        {
            return codec.Decode(payload);
        }

        ResponseEncoding.CheckGzip(_response!);
        using PooledBuffer inflated = MessageEncoding.Inflate(payload, _options.MaxReceiveMessageBytes);
        return codec.Decode(new ReadOnlySequence<byte>(inflated.WrittenMemory));
    }

    public void Dispose()
    {
        // Disposing an answer that was not read to its end resets the stream: the server sees the call cancelled.
        _body?.Dispose();
        _response?.Dispose();
        _request?.Dispose();
        _ended.Dispose();
        _deadline.Dispose();
        _buffer.Dispose();
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

        rest.CopyTo(_buffer.WrittenSpan);
        _buffer.Truncate(rest.Length);
        _consumed = 0;
    }
}
