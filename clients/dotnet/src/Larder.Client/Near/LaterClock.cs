namespace Larder.Client.Near;

/// <summary>
/// Where no clock counts the machine's sleep: a steady one, moved on by as much as the wall's clock was ever seen to be ahead of it since both began. So sleep
/// counts once it is over, and a wall's clock that is set back brings nothing back.
/// </summary>
internal sealed class LaterClock(TimeProvider provider) : NearClock
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
