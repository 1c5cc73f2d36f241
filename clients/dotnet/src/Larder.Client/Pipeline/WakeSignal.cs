using System.Threading.Tasks.Sources;

namespace Larder.Client.Pipeline;

/// <summary>Wakes one sleeper, on the thread pool; used again and again without allocating. At most one wait and one wake at a time.</summary>
internal sealed class WakeSignal : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };

    public ValueTask WaitAsync() => new(this, _core.Version);

    public void Wake() => _core.SetResult(true);

    void IValueTaskSource.GetResult(short token)
    {
        _core.GetResult(token);
        _core.Reset();
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
