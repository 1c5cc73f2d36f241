namespace Larder.Client.Near;

/// <summary>
/// A clock for systems whose monotonic clocks do not include the time during which the machine sleeps. Its time is the monotonic clock plus the largest advance
/// of the wall clock over the monotonic clock so far. The duration of a sleep is therefore included when the sleep is over. Setting the wall clock back does
/// not make this clock go backwards.
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
