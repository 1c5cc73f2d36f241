using System.Diagnostics.CodeAnalysis;
using Larder.Client.Leases;

namespace Larder.Client;

/// <summary>
/// One get-or-create in progress and its callers. Callers that request the same key while it is in progress share its result. The work is cancelled when no
/// caller is waiting for it. A factory may request a key whose creation waits, directly or indirectly, for the same factory. Such a request does not wait,
/// because waiting would be a deadlock.
/// </summary>
[SuppressMessage(
    "Reliability",
    "CA1001",
    Justification = "A token source without a timer or a wait handle holds nothing to release, and its last user is not known.")]
internal abstract class SharedCreation(LeasedItem? item)
{
    // The creation whose factory is running the current code, or null.
    private static readonly AsyncLocal<SharedCreation?> Inside = new();
    // Guards the lists _awaits and _awaitedBy of all creations. Only callers that run in a factory take this lock.
    private static readonly Lock Waits = new();

    private readonly CancellationTokenSource _abandoned = new();
    // The creations that the factory of this creation waits for.
    private readonly List<SharedCreation> _awaits = [];
    // The creations whose factories wait for this creation.
    private readonly List<SharedCreation> _awaitedBy = [];
    private int _callers;

    /// <summary>Gets whether this creation accepts no more callers, because it has completed or was cancelled.</summary>
    public bool IsOver => Volatile.Read(ref _callers) < 0 || IsCompleted;

    private LeasedItem? Item => item;

    /// <summary>Gets whether the work has completed.</summary>
    protected abstract bool IsCompleted { get; }

    /// <summary>Adds a caller. Returns false if the last caller has already left, because the work is then cancelled.</summary>
    public bool TryJoin()
    {
        int callers = Volatile.Read(ref _callers);
        while (callers >= 0)
        {
            int seen = Interlocked.CompareExchange(ref _callers, callers + 1, callers);
            if (seen == callers)
            {
                return true;
            }

            callers = seen;
        }

        return false;
    }

    /// <summary>Runs the work as the factory of this creation.</summary>
    protected async Task<TResult> RunAsync<TResult>(Func<CancellationToken, Task<TResult>> work)
    {
        // The new value of Inside applies to this method and to the code that it calls. When this async method returns, .NET restores the value that Inside had
        // in the caller.
        Inside.Value = this;
        return await work(_abandoned.Token).ConfigureAwait(false);
    }

    /// <summary>Begins to wait as one of the callers. Returns false if waiting would cause a deadlock.</summary>
    /// <param name="waiter">The creation whose factory waits, or null. Pass it to <see cref="EndWait"/>, even if the result is false.</param>
    protected bool TryBeginWait(out SharedCreation? waiter)
    {
        SharedCreation? inside = Inside.Value;
        waiter = inside is not null && inside.TryAwait(this) ? inside : null;
        return inside is null || waiter is not null;
    }

    /// <summary>Ends the wait of a caller, who leaves.</summary>
    protected void EndWait(SharedCreation? waiter)
    {
        if (waiter is not null)
        {
            lock (Waits)
            {
                waiter._awaits.Remove(this);
                _awaitedBy.Remove(waiter);
            }
        }

        Leave();
    }

    private bool TryAwait(SharedCreation other)
    {
        lock (Waits)
        {
            HashSet<SharedCreation> waiters = Closure(this, static creation => creation._awaitedBy);
            if (Closure(other, static creation => creation._awaits).Any(awaited => waiters.Contains(awaited) || waiters.Any(awaited.NeedsLeaseOf)))
            {
                return false;
            }

            _awaits.Add(other);
            other._awaitedBy.Add(this);
            return true;
        }
    }

    // Returns whether this creation may wait for the lease of another creation, whose factory is running.
    private bool NeedsLeaseOf(SharedCreation other) => Item is not null && !other.IsCompleted && Item.Equals(other.Item);

    // Returns a creation and all creations that can be reached from it. The caller must hold the lock Waits.
    private static HashSet<SharedCreation> Closure(SharedCreation start, Func<SharedCreation, List<SharedCreation>> next)
    {
        HashSet<SharedCreation> reached = [start];
        Queue<SharedCreation> queue = new(reached);
        while (queue.TryDequeue(out SharedCreation? each))
        {
            foreach (SharedCreation further in next(each).Where(reached.Add))
            {
                queue.Enqueue(further);
            }
        }

        return reached;
    }

    private void Leave()
    {
        // When the last caller leaves, the count becomes -1. New callers then cannot join work that is being cancelled.
        if (Interlocked.Decrement(ref _callers) == 0 && Interlocked.CompareExchange(ref _callers, -1, 0) == 0)
        {
            try
            {
                _abandoned.Cancel();
            }
            catch (AggregateException)
            {
                // A callback that the factory has registered threw. The caller who leaves must get the outcome of its own call instead.
            }
        }
    }
}
