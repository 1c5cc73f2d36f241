using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>
/// One getOrCreate under way, and those who wait for it: the first caller's work serves all who ask for the same key meanwhile. It is given up when the
/// last of them has left. A factory that asks for a key whose creation waits for it does not wait: neither would ever end.
/// </summary>
[SuppressMessage(
    "Reliability",
    "CA1001",
    Justification = "A token source without a timer or a wait handle holds nothing to release, and its last user is not known.")]
internal sealed class SharedCreation
{
    // The creation whose factory the caller runs in.
    private static readonly AsyncLocal<SharedCreation?> Inside = new();
    // Guards what each creation awaits; taken only by callers that run in a factory.
    private static readonly Lock Waits = new();

    private readonly CancellationTokenSource _abandoned = new();
    // Creations that this one's factory waits for.
    private readonly List<SharedCreation> _awaits = [];
    private readonly Lazy<Task<GetOrCreateResponse>> _work;
    private int _callers;
    private int _isTaken;

    public SharedCreation(Func<CancellationToken, Task<GetOrCreateResponse>> work) => _work = new(() => RunAsync(work));

    /// <summary>True once it serves nobody who comes now: done, or given up.</summary>
    public bool IsOver => Volatile.Read(ref _callers) < 0 || (_work.IsValueCreated && _work.Value.IsCompleted);

    /// <summary>Adds a caller. False where the last one has left already: the work is given up.</summary>
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

    /// <summary>Waits for the value, of which each caller has bytes of its own; a caller that gives up leaves alone.</summary>
    /// <returns>Null where this creation waits for the one whose factory the caller runs in.</returns>
    public async Task<GetOrCreateResponse?> WaitAsync(CancellationToken cancellationToken)
    {
        SharedCreation? inside = Inside.Value;
        bool isAwaited = false;
        try
        {
            if (inside is not null && !(isAwaited = inside.TryAwait(this)))
            {
                return null;
            }

            GetOrCreateResponse made = await _work.Value.WaitAsync(cancellationToken).ConfigureAwait(false);
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

    private async Task<GetOrCreateResponse> RunAsync(Func<CancellationToken, Task<GetOrCreateResponse>> work)
    {
        // Of this method and what it calls: the caller's own is as it was when it returns.
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

    // Under the lock: whether this one cannot end before the other.
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
        // At none left the door closes (-1), so that nobody joins work that is being given up.
        if (Interlocked.Decrement(ref _callers) == 0 && Interlocked.CompareExchange(ref _callers, -1, 0) == 0)
        {
            _abandoned.Cancel();
        }
    }
}
