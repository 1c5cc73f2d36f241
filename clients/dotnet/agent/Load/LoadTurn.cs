using System.Diagnostics;
using System.Threading.Tasks.Sources;

namespace Larder.Agent;

/// <summary>
/// A caller's wait for its next arrival in an open loop. The object can be reused without allocating memory, and is itself the node of the linked list of
/// waiting callers. Only one wait at a time is permitted. The code that removes the object from the list, under the schedule's lock, must complete the wait
/// exactly once.
/// </summary>
internal abstract class LoadTurn : IValueTaskSource<bool>, IThreadPoolWorkItem
{
    private const long Over = -1;

    private ManualResetValueTaskSourceCore<bool> _core;
    private long _due;

    /// <summary>Gets or sets the next node of the list of waiting callers, or of the list of callers to wake.</summary>
    public LoadTurn? Next { get; set; }

    /// <summary>Starts a wait. The task's result is true if an arrival was assigned, and false if the schedule is over.</summary>
    public ValueTask<bool> WaitAsync() => new(this, _core.Version);

    /// <summary>
    /// Starts an arrival for this caller. <paramref name="due"/> is the arrival's due time and <paramref name="now"/> is its start, both in stopwatch ticks.
    /// <paramref name="wasFree"/> is true if a caller was already waiting at the due time. The time from due to now is then the load generator's own delay. The
    /// caller continues on the thread that calls this method.
    /// </summary>
    public abstract void Begin(long due, long now, bool wasFree);

    /// <summary>Assigns an arrival to the waiting caller by storing the arrival's due time. The caller is woken later.</summary>
    public void Give(long due) => _due = due;

    /// <summary>Marks the caller to be woken because the schedule is over.</summary>
    public void End() => _due = Over;

    /// <summary>Wakes this caller and the callers linked after it, in order. Each caller runs on the current thread until it waits.</summary>
    public void WakeAll()
    {
        for (LoadTurn? turn = this; turn is not null;)
        {
            // Read Next before waking the caller, because a woken caller may immediately wait again and overwrite its Next.
            LoadTurn? next = turn.Next;
            turn.Next = null;
            turn.Wake();
            turn = next;
        }
    }

    void IThreadPoolWorkItem.Execute() => WakeAll();

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        bool came = _core.GetResult(token);
        _core.Reset();
        return came;
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Wake()
    {
        long due = _due;
        if (due != Over)
        {
            Begin(due, Stopwatch.GetTimestamp(), wasFree: true);
        }

        _core.SetResult(due != Over);
    }
}
