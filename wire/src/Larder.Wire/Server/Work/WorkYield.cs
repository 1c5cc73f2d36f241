using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>
/// An awaitable that lets a connection yield to other connections. The method that awaits it continues on a worker when it is the connection's turn. The object
/// can be awaited repeatedly, but not concurrently.
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
