using System.Buffers;
using System.Net.Http;
using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>
/// Everything that one unary call needs, kept for the next: the HTTP request with its headers, the request's frame, the buffer of the answer
/// and the token that ends it. It serves one call at a time, and only a call that ended cleanly makes it free for another.
/// </summary>
internal sealed class UnaryCall : IDisposable
{
    // No deadline, and one that has passed: values that no instant has.
    private const long NoDeadline = 0;
    private const long DeadlinePassed = -1;

    // Enough for most answers; a larger array is given back after the call.
    private const int AnswerBytes = 4 * 1024;

    private readonly FrameContent _content = new();
    private readonly HttpRequestMessage _request;
    private readonly CancellationTokenSource _cancellation = new();
    private readonly PooledBuffer _answer = new(AnswerBytes);
    private RpcHeaders? _headers;
    private string? _timeout;
    private long _deadline;

    public UnaryCall() => _request = RequestFactory.Create(_content);

    /// <summary>True once the call's deadline has passed and its token was cancelled for it.</summary>
    public bool HasExpired => Volatile.Read(ref _deadline) == DeadlinePassed;

    /// <summary>Prepares a call.</summary>
    public void Begin<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, TRequest request, Uri endpoint, RpcHeaders headers, string? timeout, bool acceptGzip)
    {
        _content.Set(method.Requests, request);
        _request.RequestUri = method.AddressAt(endpoint);
        if (!ReferenceEquals(headers, _headers) || !ReferenceEquals(timeout, _timeout))
        {
            RequestFactory.SetHeaders(_request, headers, timeout, acceptGzip);
            _headers = headers;
            _timeout = timeout;
        }
    }

    public void SetDeadline(long deadline) => Volatile.Write(ref _deadline, deadline);

    /// <summary>Ends the call if its deadline has passed; true while it has one that has not.</summary>
    public bool ExpireIfDue(long now)
    {
        long deadline = Volatile.Read(ref _deadline);
        if (deadline is NoDeadline or DeadlinePassed)
        {
            return false;
        }

        if (deadline > now)
        {
            return true;
        }

        if (Interlocked.CompareExchange(ref _deadline, DeadlinePassed, deadline) == deadline)
        {
            _cancellation.Cancel();
        }

        return false;
    }

    /// <summary>Sends the request and reads the answer's message.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<TResponse> ExchangeAsync<TRequest, TResponse>(HttpMessageInvoker invoker, RpcMethod<TRequest, TResponse> method, int limitBytes, CancellationToken caller)
    {
        using CancellationTokenRegistration registration = caller.UnsafeRegister(static state => ((UnaryCall)state!)._cancellation.Cancel(), this);
        using HttpResponseMessage response = await invoker.SendAsync(_request, _cancellation.Token).ConfigureAwait(false);
        ResponseStatus.CheckHeaders(response);
        Stream body = response.Content.ReadAsStream(CancellationToken.None);
        await ReadToEndAsync(body, limitBytes).ConfigureAwait(false);
        ResponseStatus.CheckTrailers(response);
        return Decode(method.Responses, response, limitBytes);
    }

    /// <summary>Makes the object free for the next call; false where it cannot serve again.</summary>
    public bool TryRelease()
    {
        bool expired = Interlocked.Exchange(ref _deadline, NoDeadline) == DeadlinePassed;
        if (expired || !_content.IsIdle || _cancellation.IsCancellationRequested)
        {
            return false;
        }

        _answer.Reset(AnswerBytes);
        return true;
    }

    public void Dispose()
    {
        _request.Dispose();
        _cancellation.Dispose();
        _answer.Dispose();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask ReadToEndAsync(Stream body, int limitBytes)
    {
        int read;
        while ((read = await body.ReadAsync(_answer.GetMemory(NextReadBytes(limitBytes)), _cancellation.Token).ConfigureAwait(false)) > 0)
        {
            _answer.Advance(read);
        }
    }

    // Once the header is there, the rest is read into one array of the right size; before that, as much as fits.
    private int NextReadBytes(int limitBytes)
    {
        if (_answer.Written < FrameHeader.Size)
        {
            return FrameHeader.Size;
        }

        FrameHeader header = FrameHeader.Read(_answer.WrittenSpan);
        if (header.Length > (uint)limitBytes)
        {
            throw new RpcException(MessageLimit.Exceeded(limitBytes));
        }

        long rest = FrameHeader.Size + header.Length - _answer.Written;
        return rest >= 0
            ? (int)Math.Max(rest, 1)
            : throw new RpcException(new Status(StatusCode.Internal, "The call answers one message and more arrived."));
    }

    private TResponse Decode<TResponse>(MessageCodec<TResponse> codec, HttpResponseMessage response, int limitBytes)
    {
        if (_answer.Written < FrameHeader.Size || FrameHeader.Read(_answer.WrittenSpan).Length != _answer.Written - FrameHeader.Size)
        {
            throw new RpcException(new Status(StatusCode.Internal, "The answer ended before its message did."));
        }

        ReadOnlySequence<byte> payload = new(_answer.WrittenMemory[FrameHeader.Size..]);
        if (!FrameHeader.Read(_answer.WrittenSpan).IsCompressed)
        {
            return codec.Decode(payload);
        }

        ResponseEncoding.CheckGzip(response);
        using PooledBuffer inflated = MessageEncoding.Inflate(payload, limitBytes);
        return codec.Decode(new ReadOnlySequence<byte>(inflated.WrittenMemory));
    }
}
