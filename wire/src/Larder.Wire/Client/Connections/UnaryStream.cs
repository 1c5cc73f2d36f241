using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Threading.Tasks.Sources;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// A unary call. One reusable object contains the request frame, the response bytes and the awaitable. The response is decoded on the caller's thread.
/// </summary>
/// <typeparam name="TResponse">The type of the response.</typeparam>
[SuppressMessage("Reliability", "CA1001", Justification = "It is reused, and its buffers with it.")]
internal sealed class UnaryStream<TResponse>(UnaryStreams<TResponse> pool) : Http2Stream, IThreadPoolWorkItem, IValueTaskSource<TResponse>
{
    // The size of the largest buffer that is kept after a call. It is enough for most requests and responses. Larger buffers are returned to the pool.
    private const int KeptBytes = 4 * 1024;
    private const int FirstBytes = 512;

    private readonly PooledBuffer _request = new(FirstBytes);
    private readonly PooledBuffer _answer = new(FirstBytes);
    private MessageCodec<TResponse>? _codec;
    private CancellationToken _caller;
    private CancellationTokenRegistration _registration;
    private int _limitBytes;
    private CompletionCore<bool> _core;

    /// <summary>Gets the task for the caller, who must await it exactly once.</summary>
    public ValueTask<TResponse> Task => new(this, _core.Version);

    /// <summary>Prepares a call and encodes its request.</summary>
    public void Begin<TRequest>(RpcMethod<TRequest, TResponse> method, TRequest request, RpcHeaders headers, int limitBytes)
    {
        int length = method.Requests.Measure(request);
        FrameHeader.Write(_request.GetSpan(FrameHeader.Size + length), length);
        _request.Advance(FrameHeader.Size);
        method.Requests.Encode(request, _request);
        if (_request.Written != FrameHeader.Size + length)
        {
            throw new InvalidOperationException(
                $"The codec of {typeof(TRequest)} computed a size of {length} bytes but wrote {_request.Written - FrameHeader.Size} bytes.");
        }

        _codec = method.Responses;
        _limitBytes = limitBytes;
        Path = method.Path;
        Headers = headers;
        Outgoing = _request.WrittenMemory;
        EndsAfterOutgoing = true;
        BeginLife();
    }

    /// <summary>Registers the caller's cancellation token. Use this method after the call was started and before its task is awaited.</summary>
    public void Obey(CancellationToken caller)
    {
        _caller = caller;
        _registration = caller.UnsafeRegister(static state => ((Http2Stream)state!).Cancel(), this);
    }

    /// <summary>Releases a stream that was never started.</summary>
    public void Abandon() => Release();

    public override void OnHeaders(CompletionBatch batch)
    {
        // No action is needed, because the headers are checked after the call has ended.
    }

    public override RpcException? OnData(ReadOnlySpan<byte> data, CompletionBatch batch)
    {
        data.CopyTo(_answer.GetSpan(data.Length));
        _answer.Advance(data.Length);
        if (_answer.Written >= FrameHeader.Size)
        {
            uint length = BinaryPrimitives.ReadUInt32BigEndian(_answer.WrittenSpan[1..]);
            if (length > (uint)_limitBytes)
            {
                return new RpcException(MessageLimit.Exceeded(_limitBytes));
            }

            if (_answer.Written - FrameHeader.Size > (int)length)
            {
                return new RpcException(new Status(StatusCode.Internal, "Expected one response message, got more."));
            }
        }

        GrantCredit(data.Length);
        return null;
    }

    public override void OnEnded(CompletionBatch batch) => batch.Add(this);

    public void Execute() => _core.SetResult(true);

    public TResponse GetResult(short token)
    {
        _core.GetResult(token);
        try
        {
            return Outcome switch
            {
                StreamOutcome.Answered => Decode(),
                StreamOutcome.Failed => throw Failure!,
                StreamOutcome.Expired when !_caller.IsCancellationRequested => throw CallFailure.Expired(),
                _ => throw CallFailure.GivenUp(_caller),
            };
        }
        finally
        {
            Release();
        }
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (_core.OnCompleted(continuation, state, token, flags))
        {
            PoolQueue.Callers.Add(static stream => stream._core.Continue(), this);
        }
    }

    private TResponse Decode()
    {
        Head.CheckHeaders();
        Head.CheckTrailers();
        if (_answer.Written < FrameHeader.Size || FrameHeader.Read(_answer.WrittenSpan).Length != _answer.Written - FrameHeader.Size)
        {
            throw new RpcException(new Status(StatusCode.Internal, "The response ended in the middle of a message."));
        }

        ReadOnlySequence<byte> payload = new(_answer.WrittenMemory[FrameHeader.Size..]);
        if (!FrameHeader.Read(_answer.WrittenSpan).IsCompressed)
        {
            return _codec!.Decode(payload);
        }

        MessageEncoding.CheckGzip(Head.Encoding);
        using PooledBuffer inflated = MessageEncoding.Inflate(payload, _limitBytes);
        return _codec!.Decode(new ReadOnlySequence<byte>(inflated.WrittenMemory));
    }

    private void Release()
    {
        // This waits for a cancellation callback in progress, so that the callback cannot cancel the next call.
        _registration.Dispose();
        _registration = default;
        _caller = default;
        Connection = null;
        Outgoing = default;
        DeadlineAt = 0;
        Timeout = null;
        Head.Clear();
        _request.Reset(KeptBytes);
        _answer.Reset(KeptBytes);
        _core.Reset();
        EndLife();
        pool.Return(this);
    }
}
