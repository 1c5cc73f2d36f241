namespace Larder.Client;

/// <summary>
/// Bounds retries to a part of the calls made: each first send deposits that part of a retry, each retry takes a whole one. Starts with a few,
/// so that a client's first calls may be retried; never saves more than <c>reserve</c>, so that an hour of health does not buy a storm.
/// </summary>
internal sealed class RetryBudget
{
    // A retry in units of the account: exact for budgets down to a thousandth.
    private const long Retry = 1_000;
    private const long InitialRetries = 10;

    private readonly long _deposit;
    private readonly long _most;
    private long _balance;

    /// <param name="ratio">Retries for each call made: 0 to 1.</param>
    /// <param name="reserve">The most retries saved: those in flight at once, whose connection may break under all of them.</param>
    public RetryBudget(double ratio, int reserve)
    {
        _deposit = (long)Math.Round(ratio * Retry);
        _most = Math.Max(InitialRetries, reserve) * Retry;
        _balance = ratio > 0 ? InitialRetries * Retry : 0;
    }

    /// <summary>Retries that may be taken now.</summary>
    public long Available => Math.Max(0, Volatile.Read(ref _balance)) / Retry;

    /// <summary>Notes a first send. At a full account, which is the usual case, a read alone.</summary>
    public void Deposit()
    {
        if (Volatile.Read(ref _balance) < _most)
        {
            Interlocked.Add(ref _balance, _deposit);
        }
    }

    /// <summary>Takes one retry, where there is one.</summary>
    public bool TryTake()
    {
        if (Interlocked.Add(ref _balance, -Retry) >= 0)
        {
            return true;
        }

        Interlocked.Add(ref _balance, Retry);
        return false;
    }
}
