using System.Diagnostics.CodeAnalysis;

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
internal abstract class SharedCreation
{
    // The creation whose factory is running the current code, or null.
    private static readonly AsyncLocal<SharedCreation?> Inside = new();
    // Guards the lists _awaits of all creations. Only callers that run in a factory take this lock.
    private static readonly Lock Waits = new();

    private readonly CancellationTokenSource _abandoned = new();
    // The creations that the factory of this creation waits for.
    private readonly List<SharedCreation> _awaits = [];
    private int _callers;

    /// <summary>Gets whether this creation accepts no more callers, because it has completed or was cancelled.</summary>
    public bool IsOver => Volatile.Read(ref _callers) < 0 || IsCompleted;

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

    /// <summary>Waits for the work as one of its callers, who leaves when this method returns. Returns null if waiting would cause a deadlock.</summary>
    protected async Task<TResult?> JoinedAsync<TResult>(Lazy<Task<TResult>> work, CancellationToken cancellationToken)
        where TResult : class
    {
        SharedCreation? inside = Inside.Value;
        bool isAwaited = false;
        try
        {
            return inside is not null && !(isAwaited = inside.TryAwait(this))
                ? null
                : await work.Value.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (isAwaited)
            {
                inside!.AwaitsNoMore(this);
            }

            Leave();
        }
    }

    private bool TryAwait(SharedCreation other)
    {
        lock (Waits)
        {
            if (other.WaitsFor(this))
            {
                return false;
            }

            _awaits.Add(other);
            return true;
        }
    }

    private void AwaitsNoMore(SharedCreation other)
    {
        lock (Waits)
        {
            _awaits.Remove(other);
        }
    }

    // Returns whether this creation waits for the other creation, directly or indirectly. Also returns true if both are the same creation. The caller must hold
    // the lock Waits.
    private bool WaitsFor(SharedCreation other)
    {
        HashSet<SharedCreation> seen = [this];
        Queue<SharedCreation> next = new([this]);
        while (next.TryDequeue(out SharedCreation? each))
        {
            foreach (SharedCreation awaited in each._awaits.Where(seen.Add))
            {
                next.Enqueue(awaited);
            }
        }

        return seen.Contains(other);
    }

    private void Leave()
    {
        // When the last caller leaves, the count becomes -1. New callers then cannot join work that is being cancelled.
        if (Interlocked.Decrement(ref _callers) == 0 && Interlocked.CompareExchange(ref _callers, -1, 0) == 0)
        {
            _abandoned.Cancel();
        }
    }
}
