namespace Larder.FileStore.Tests;

/// <summary>Tests the clock that determines when entries expire.</summary>
public sealed class CacheClockTests
{
    private readonly CacheClock _clock = CacheClock.For(TimeProvider.System);

    [Fact]
    public void Tick_advances_in_steps_of_one_millisecond() => Until.True(() =>
    {
        long before = _clock.Tick;
        long after;
        do
        {
            after = _clock.Tick;
        }
        while (after == before);
        return after - before == 1;
    });

    [Fact]
    public void CoarseTick_is_never_ahead_of_Tick()
    {
        for (int i = 0; i < 100_000; i++)
        {
            long coarse = _clock.CoarseTick;
            Assert.True(coarse <= _clock.Tick);
        }
    }
}
