using System.Threading.Tasks.Sources;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Wire.Protobuf;
using Larder.Wire.Threads;

namespace Larder.Client.Calls;

/// <summary>A call of one operation. The object contains the request and the response, and is the source of the task that the caller awaits.</summary>
internal sealed class TypedCall<TOperation, TResponse>(CallRunner runner, CallPool<TOperation, TResponse> pool) : Call(runner), IValueTaskSource<TResponse>
    where TOperation : IOperation<TOperation, TResponse>
    where TResponse : class
{
    private TOperation _operation = default!;
    private TResponse? _response;
    private CompletionCore<TResponse> _core;

    // True if the call was made in a BlockingScope, so a thread blocks until the call ends. The code that continues after the call is then part of this
    // library, and must also run in a scope.
    private bool _isBlocking;

    public override OperationInfo Operation => TOperation.Info;

    public override object Response => _response!;

    public override int KeyLength => _operation.KeyLength;

    public ref readonly TOperation Request => ref _operation;

    public ValueTask<TResponse> Task => new(this, _core.Version);

    public void SetOperation(in TOperation operation) => _operation = operation;

    public override int Measure() => _operation.Measure();

    public override void Write(ref ProtoWriter writer) => _operation.Write(ref writer);

    public override void EndCopies(NearReads near, NearTerms terms)
    {
        if (NearGet is { } get && _response is LookupResult<CacheValue> { IsError: false })
        {
            NearGet = null;
            near.Answered(get, _response as ItemHit, terms);
            return;
        }

        FailNear();
        _operation.EndCopies(near, Cache);
    }

    public override void SendUnary(UnaryTransport transport, long version) =>
        UnaryAttempt<TOperation, TResponse>.Start(transport, this, _operation, version);

    /// <summary>Ends the call with a decoded response and signals it.</summary>
    public void Complete(long version, TResponse response)
    {
        CallPhase phase = TryEnd(version);
        if (phase != CallPhase.Idle)
        {
            _response = response;
            Runner.OnEnded(this, phase, response);
            Signal();
        }
    }

    public override void Signal()
    {
        if (_isBlocking)
        {
            BlockingScope.Run(() => _core.SetResult(_response!));
        }
        else
        {
            _core.SetResult(_response!);
        }
    }

    public override void Hold()
    {
        _isBlocking = true;
        _core.Hold();
    }

    public override void Release() => _core.Release();

    public override void SetFailure(CacheError error) => _response = TOperation.Fail(error);

    public TResponse GetResult(short token)
    {
        TResponse response = _core.GetResult(token);
        Retire();
        _operation = default!;
        _response = null;
        _isBlocking = false;
        _core.Reset();
        pool.Return(this);
        return response;
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (_core.OnCompleted(continuation, state, token, flags))
        {
            PoolQueue.Callers.Add(static call => call._core.Continue(), this);
        }
    }

    protected override void SetResponse(ReadOnlySpan<byte> payload)
    {
        TResponse response = TOperation.Decode(payload);
        TOperation.Require(_operation, response);
        _response = response;
    }
}
