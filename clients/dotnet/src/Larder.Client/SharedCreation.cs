using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>
/// One getOrCreate under way, and those who wait for it: the first caller's work serves all who ask for the same key meanwhile. It is given up when the
/// last of them has left.
/// </summary>
[SuppressMessage(
    "Reliability",
    "CA1001",
    Justification = "A token source without a timer or a wait handle holds nothing to release, and its last user is not known.")]
internal sealed class SharedCreation
{
    private readonly CancellationTokenSource _abandoned = new();
    private readonly Lazy<Task<GetOrCreateResponse>> _work;
    private int _callers;
    private int _isTaken;

    public SharedCreation(Func<CancellationToken, Task<GetOrCreateResponse>> work) => _work = new(() => work(_abandoned.Token));

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
    public async Task<GetOrCreateResponse> WaitAsync(CancellationToken cancellationToken)
    {
        try
        {
            GetOrCreateResponse made = await _work.Value.WaitAsync(cancellationToken).ConfigureAwait(false);
            return Interlocked.Exchange(ref _isTaken, 1) == 0 ? made : made.Copy();
        }
        finally
        {
            Leave();
        }
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
