using System.Threading.Tasks.Sources;

namespace Larder.Tuner.Peers.Floor;

/// <summary>A call object that one caller reuses. The caller makes one call at a time.</summary>
internal sealed class FloorCall(int number) : IValueTaskSource<bool>
{
    private ManualResetValueTaskSourceCore<bool> _core;
    private int _isWaiting;

    /// <summary>Gets the call's number on its connection.</summary>
    public int Number => number;

    /// <summary>Returns a task that completes with the next response.</summary>
    public ValueTask<bool> WaitAsync()
    {
        _core.Reset();
        ValueTask<bool> answer = new(this, _core.Version);
        Volatile.Write(ref _isWaiting, 1);
        return answer;
    }

    /// <summary>If the caller is waiting, completes its task on this thread. Otherwise does nothing.</summary>
    public void Answer(bool isAnswered)
    {
        if (Interlocked.Exchange(ref _isWaiting, 0) == 1)
        {
            _core.SetResult(isAnswered);
        }
    }

    bool IValueTaskSource<bool>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
