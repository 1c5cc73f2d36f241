namespace Larder.Client.Near;

/// <summary>
/// A clock for systems whose monotonic clocks stop while the machine sleeps. It adds a correction to the monotonic clock. The correction is the largest time by
/// which the wall clock has been ahead of the monotonic clock, so it includes the duration of a sleep. Setting the wall clock back does not make this clock go
/// backwards, because the correction never decreases.
/// </summary>
internal sealed class SuspendClock(TimeProvider provider) : NearClock
{
    private readonly long _steadyAtFirst = provider.GetTimestamp();
    private readonly DateTimeOffset _wallAtFirst = provider.GetUtcNow();
    private long _ahead;

    public override TimeSpan Now
    {
        get
        {
            TimeSpan elapsed = provider.GetElapsedTime(_steadyAtFirst);
            long ahead = (provider.GetUtcNow() - _wallAtFirst - elapsed).Ticks;
            long most = Volatile.Read(ref _ahead);
            while (ahead > most)
            {
                long seen = Interlocked.CompareExchange(ref _ahead, ahead, most);
                most = seen == most ? ahead : seen;
            }

            return elapsed + new TimeSpan(most);
        }
    }
}
