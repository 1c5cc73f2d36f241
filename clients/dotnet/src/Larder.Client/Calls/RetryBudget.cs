namespace Larder.Client;

/// <summary>
/// Limits retries to a fraction of the calls (RETRY-12): each first attempt deposits that fraction of a retry, and each retry withdraws a whole one. The budget
/// starts full, with at least twice the concurrency limit, because a broken connection fails all calls in flight at once.
/// </summary>
internal sealed class RetryBudget
{
    // One retry in units of the balance, which makes ratios exact to a thousandth.
    private const long Retry = 1_000;
    private const long MinReserve = 100;
    private const long ReservePerPermit = 2;
    private const long ReserveWithoutCap = 20_000;

    private readonly long _deposit;
    private readonly long _most;
    private long _balance;

    /// <param name="ratio">The number of retries per call, from 0 to 1.</param>
    /// <param name="cap">The maximum number of calls in flight, or <see cref="Configuration.Unlimited"/>.</param>
    public RetryBudget(double ratio, int cap)
    {
        _deposit = (long)Math.Round(ratio * Retry);
        _most = (cap == Configuration.Unlimited ? ReserveWithoutCap : Math.Max(MinReserve, ReservePerPermit * cap)) * Retry;
        _balance = ratio > 0 ? _most : 0;
    }

    /// <summary>Gets the number of retries available now.</summary>
    public long Available => Math.Max(0, Volatile.Read(ref _balance)) / Retry;

    /// <summary>Deposits for a first attempt. If the budget is full, which is the usual case, this only reads the balance.</summary>
    public void Deposit()
    {
        if (_deposit > 0 && Volatile.Read(ref _balance) < _most)
        {
            Interlocked.Add(ref _balance, _deposit);
        }
    }

    /// <summary>Withdraws one retry if there is one.</summary>
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
