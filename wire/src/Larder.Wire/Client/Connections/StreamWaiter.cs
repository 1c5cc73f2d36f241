using System.Threading.Tasks.Sources;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// One reader or writer of a stream who waits, used again for the next wait. Whoever takes it back by <see cref="TryWithdraw"/> sets its result, and then has
/// it executed.
/// </summary>
internal sealed class StreamWaiter<T> : IThreadPoolWorkItem, IValueTaskSource<T>
{
    private ManualResetValueTaskSourceCore<T> _core;
    private CancellationTokenRegistration _registration;
    private StreamingStream? _stream;
    private CancellationToken _token;
    private int _isWaiting;
    private T? _result;
    private Exception? _error;

    /// <summary>Begins to wait.</summary>
    public ValueTask<T> Arm(StreamingStream stream)
    {
        _core.Reset();
        _stream = stream;
        _result = default;
        _error = null;
        Volatile.Write(ref _isWaiting, 1);
        return new ValueTask<T>(this, _core.Version);
    }

    /// <summary>Gives up when the token says so. Before the task is awaited.</summary>
    public void Obey(CancellationToken token)
    {
        if (token.CanBeCanceled)
        {
            _token = token;
            _registration = token.UnsafeRegister(static state => ((StreamWaiter<T>)state!).GiveUp(), this);
        }
    }

    /// <summary>Ends the waiting, once; true for who must set the result.</summary>
    public bool TryWithdraw() => Interlocked.Exchange(ref _isWaiting, 0) == 1;

    public void SetResult(T result) => _result = result;

    public void SetException(Exception error) => _error = error;

    public void Execute()
    {
        if (_error is { } error)
        {
            _core.SetException(error);
        }
        else
        {
            _core.SetResult(_result!);
        }
    }

    T IValueTaskSource<T>.GetResult(short token)
    {
        _registration.Dispose();
        _registration = default;
        return _core.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource<T>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<T>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void GiveUp()
    {
        if (!TryWithdraw())
        {
            return;
        }

        _stream!.GiveUp(this);
        SetException(new OperationCanceledException(_token));
        // Not here: a caller's code does not run within its own cancellation.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }
}
