namespace Larder.Client;

/// <summary>
/// Bounds retries to a part of the calls made (RETRY-12): each first send deposits that part of a retry, each retry takes a whole one. Begins full, and
/// holds twice the cap: a broken connection fails every call in flight at once.
/// </summary>
internal sealed class RetryBudget
{
    // A retry in units of the account: exact for budgets down to a thousandth.
    private const long Retry = 1_000;
    private const long LeastReserve = 100;
    private const long ReservePerPermit = 2;
    private const long ReserveWithoutCap = 20_000;

    private readonly long _deposit;
    private readonly long _most;
    private long _balance;

    /// <param name="ratio">Retries for each call made: 0 to 1.</param>
    /// <param name="cap">Calls in flight at once at most; <see cref="Configuration.Unlimited"/> for no cap.</param>
    public RetryBudget(double ratio, int cap)
    {
        _deposit = (long)Math.Round(ratio * Retry);
        _most = (cap == Configuration.Unlimited ? ReserveWithoutCap : Math.Max(LeastReserve, ReservePerPermit * cap)) * Retry;
        _balance = ratio > 0 ? _most : 0;
    }

    /// <summary>Retries that may be taken now.</summary>
    public long Available => Math.Max(0, Volatile.Read(ref _balance)) / Retry;

    /// <summary>Notes a first send. At a full account, which is the usual case, a read alone.</summary>
    public void Deposit()
    {
        if (_deposit > 0 && Volatile.Read(ref _balance) < _most)
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
