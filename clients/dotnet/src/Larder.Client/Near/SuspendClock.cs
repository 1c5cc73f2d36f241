namespace Larder.Client.Near;

/// <summary>
/// For systems whose clocks do not count sleep: a monotonic clock plus the maximum lead of the wall clock so far. Sleep therefore counts once it is over, and
/// setting the wall clock back does not make this clock go back.
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
