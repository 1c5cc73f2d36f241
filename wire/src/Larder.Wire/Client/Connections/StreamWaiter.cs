using System.Threading.Tasks.Sources;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// A reader that waits for a stream, reusable for the next wait. The thread that ends the wait with <see cref="TryWithdraw"/> sets the result, and then queues
/// the waiter for execution.
/// </summary>
internal sealed class StreamWaiter : IThreadPoolWorkItem, IValueTaskSource<int>
{
    private CompletionCore<int> _core;
    private int _isWaiting;
    private int _result;
    private Exception? _error;

    /// <summary>Prepares the waiter for a new wait.</summary>
    public ValueTask<int> Arm()
    {
        _core.Reset();
        _error = null;
        Volatile.Write(ref _isWaiting, 1);
        return new ValueTask<int>(this, _core.Version);
    }

    /// <summary>Ends the wait. Returns true only to the first thread that calls this method. That thread must set the result.</summary>
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
