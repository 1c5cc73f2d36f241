using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>
/// One getOrCreate in progress and its callers. The first caller's work serves all that request the same key meanwhile. It is cancelled when the last caller
/// has left. If a factory requests a key whose creation waits for that factory, it does not wait, because that would be a deadlock.
/// </summary>
[SuppressMessage(
    "Reliability",
    "CA1001",
    Justification = "A token source without a timer or a wait handle holds nothing to release, and its last user is not known.")]
internal sealed class SharedCreation
{
    // The creation whose factory the current code runs in.
    private static readonly AsyncLocal<SharedCreation?> Inside = new();
    // Guards what each creation waits for. Taken only by callers that run in a factory.
    private static readonly Lock Waits = new();

    private readonly CancellationTokenSource _abandoned = new();
    // The creations that this one's factory waits for.
    private readonly List<SharedCreation> _awaits = [];
    private readonly Lazy<Task<CreatedBytes>> _work;
    private int _callers;
    private int _isTaken;

    public SharedCreation(Func<CancellationToken, Task<CreatedBytes>> work) => _work = new(() => RunAsync(work));

    /// <summary>Gets whether it accepts no more callers, because it has completed or was cancelled.</summary>
    public bool IsOver => Volatile.Read(ref _callers) < 0 || (_work.IsValueCreated && _work.Value.IsCompleted);

    /// <summary>Adds a caller. Returns false if the last caller has already left and the work is cancelled.</summary>
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

    /// <summary>Waits for the value. Each caller gets its own copy of the bytes. A caller that cancels does not cancel the others.</summary>
    /// <returns>The response, or null if this creation waits for the one whose factory the caller runs in.</returns>
    public async Task<CreatedBytes?> WaitAsync(CancellationToken cancellationToken)
    {
        SharedCreation? inside = Inside.Value;
        bool isAwaited = false;
        try
        {
            if (inside is not null && !(isAwaited = inside.TryAwait(this)))
            {
                return null;
            }

            CreatedBytes made = await _work.Value.WaitAsync(cancellationToken).ConfigureAwait(false);
            return Interlocked.Exchange(ref _isTaken, 1) == 0 ? made : made.Copy();
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

    private async Task<CreatedBytes> RunAsync(Func<CancellationToken, Task<CreatedBytes>> work)
    {
        // It applies to this method and what it calls. The caller's value is restored when this method returns.
        Inside.Value = this;
        return await work(_abandoned.Token).ConfigureAwait(false);
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

    // The caller holds the lock. Returns whether this creation waits, directly or indirectly, for the other.
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
        // When no caller is left, -1 prevents new callers from joining work that is being cancelled.
        if (Interlocked.Decrement(ref _callers) == 0 && Interlocked.CompareExchange(ref _callers, -1, 0) == 0)
        {
            _abandoned.Cancel();
        }
    }
}
