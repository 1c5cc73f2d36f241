using System.Diagnostics;
using System.Threading.Tasks.Sources;

namespace Larder.Agent;

/// <summary>
/// A caller's turn in the open loop: waits for an arrival, again and again without allocating, and is itself the link of the list that it waits in.
/// One wait at a time; whoever takes it out of the list, under the schedule's lock, ends its wait, once.
/// </summary>
internal abstract class LoadTurn : IValueTaskSource<bool>, IThreadPoolWorkItem
{
    private const long Over = -1;

    private ManualResetValueTaskSourceCore<bool> _core;
    private long _due;

    /// <summary>The next of those who wait, or of those who are woken together.</summary>
    public LoadTurn? Next { get; set; }

    /// <summary>The wait that begins now: true when an arrival came, false when the schedule is over.</summary>
    public ValueTask<bool> WaitAsync() => new(this, _core.Version);

    /// <summary>
    /// An arrival is this caller's: it was due at <paramref name="due"/> and is begun at <paramref name="now"/>; with <paramref name="wasFree"/> a caller
    /// waited for it when it was due, so that what lies between is the generator's own lateness. Called on the thread on which the caller goes on.
    /// </summary>
    public abstract void Begin(long due, long now, bool wasFree);

    /// <summary>Says with which arrival it will be woken.</summary>
    public void Give(long due) => _due = due;

    /// <summary>Says that it will be woken because the schedule is over.</summary>
    public void End() => _due = Over;

    /// <summary>Wakes it and those linked behind it, one after the other: each goes on here until it waits for something.</summary>
    public void WakeAll()
    {
        for (LoadTurn? turn = this; turn is not null;)
        {
            // Once it is woken it may wait again, and have another next.
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
