namespace Larder.Client;

/// <summary>
/// Limits retries to a fraction of the calls (RETRY-12). Each first attempt adds that fraction of a retry to the budget, and each retry removes one retry.
/// Retries of attempts that had no connection do not count. The budget starts full. A full budget contains at least twice as many retries as the concurrency
/// limit, because a broken connection fails all calls in flight at the same time.
/// </summary>
internal sealed class RetryBudget
{
    // The balance is stored in thousandths of a retry. The ratio is therefore rounded to three decimal places.
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

    /// <summary>
    /// Adds a fraction of a retry to the budget, for the first attempt of a call. If the budget is full, which is the usual case, this method only reads the
    /// balance.
    /// </summary>
    public void Deposit()
    {
        if (_deposit > 0 && Volatile.Read(ref _balance) < _most)
        {
            Interlocked.Add(ref _balance, _deposit);
        }
    }

    /// <summary>Removes one retry from the budget. Returns false if no whole retry is available.</summary>
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
