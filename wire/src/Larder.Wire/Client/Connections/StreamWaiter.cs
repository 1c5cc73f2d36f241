using System.Threading.Tasks.Sources;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// A reader of a stream who waits, used again for the next wait. Whoever takes it back by <see cref="TryWithdraw"/> sets its result, and then has it executed.
/// </summary>
internal sealed class StreamWaiter : IThreadPoolWorkItem, IValueTaskSource<int>
{
    private CompletionCore<int> _core;
    private int _isWaiting;
    private int _result;
    private Exception? _error;

    /// <summary>Begins to wait.</summary>
    public ValueTask<int> Arm()
    {
        _core.Reset();
        _error = null;
        Volatile.Write(ref _isWaiting, 1);
        return new ValueTask<int>(this, _core.Version);
    }

    /// <summary>Ends the waiting, once; true for who must set the result.</summary>
    public bool TryWithdraw() => Interlocked.Exchange(ref _isWaiting, 0) == 1;

    public void SetResult(int result) => _result = result;

    public void SetException(Exception error) => _error = error;

    public void Execute()
    {
        if (_error is { } error)
        {
            _core.SetException(error);
        }
        else
        {
            _core.SetResult(_result);
        }
    }

    int IValueTaskSource<int>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (_core.OnCompleted(continuation, state, token, flags))
        {
            PoolQueue.Callers.Add(static waiter => waiter._core.Continue(), this);
        }
    }
}
