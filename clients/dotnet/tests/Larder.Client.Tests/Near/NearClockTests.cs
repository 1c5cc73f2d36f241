using Larder.Client.Near;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Near;

public sealed class NearClockTests
{
    [Fact]
    public void NearClock_includes_sleep_time_and_never_goes_back()
    {
        ManualTime time = new();
        NearClock clock = NearClock.Of(time);
        TimeSpan begun = clock.Now;
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(1), clock.Now - begun);

        // The machine was suspended for an hour. The monotonic clock did not advance during this time.
        time.SetWall(TimeSpan.FromHours(1));
        Assert.Equal(TimeSpan.FromSeconds(3_601), clock.Now - begun);
        time.SetWall(TimeSpan.FromHours(-2));
        Assert.Equal(TimeSpan.FromSeconds(3_601), clock.Now - begun);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(3_602), clock.Now - begun);
    }

    [Fact]
    public void NearClock_advances_with_the_system_clock()
    {
        NearClock clock = NearClock.Of(TimeProvider.System);
        Assert.Equal(OperatingSystem.IsLinux(), clock is BootClock);
        TimeSpan before = clock.Now;
        Assert.True(SpinWait.SpinUntil(() => clock.Now > before, TimeSpan.FromSeconds(10)));
    }
}
