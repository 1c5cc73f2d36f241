using System.Threading.Tasks.Sources;
using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <summary>
/// Wakes one sleeper, used again and again without allocating: on the thread pool, or once the callers are woken whom the present thread is waking. At most one
/// wait and one wake at a time.
/// </summary>
internal sealed class WakeSignal : IValueTaskSource, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<bool> _core;

    public ValueTask WaitAsync() => new(this, _core.Version);

    public void Wake()
    {
        if (!DuplexCall.TryDefer(this))
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    void IThreadPoolWorkItem.Execute() => _core.SetResult(true);

    void IValueTaskSource.GetResult(short token)
    {
        _core.GetResult(token);
        _core.Reset();
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
