using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>
/// An awaitable that continues the caller on a worker when it is the connection's turn. One object is for one caller. The caller may await it repeatedly, but
/// only one await at a time.
/// </summary>
internal sealed class WorkYield(WorkScheduler scheduler, WorkShare share) : IWorkItem, ICriticalNotifyCompletion
{
    private Action? _continuation;

    public bool IsCompleted => false;

    public WorkYield GetAwaiter() => this;

    public void GetResult()
    {
    }

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        _continuation = continuation;
        scheduler.Continue(share, this);
    }

    void IWorkItem.Run() => _continuation!();
}
