using Larder.Client.Near;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Near;

public sealed class NearClockTests
{
    [Fact]
    public void A_steady_clock_is_moved_on_by_what_the_walls_is_ahead_and_never_back()
    {
        ManualTime time = new();
        NearClock clock = NearClock.Of(time);
        TimeSpan begun = clock.Now;
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(1), clock.Now - begun);

        // The machine slept for an hour, which the monotonic clock did not measure.
        time.SetWall(TimeSpan.FromHours(1));
        Assert.Equal(TimeSpan.FromSeconds(3_601), clock.Now - begun);
        time.SetWall(TimeSpan.FromHours(-2));
        Assert.Equal(TimeSpan.FromSeconds(3_601), clock.Now - begun);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(3_602), clock.Now - begun);
    }

    [Fact]
    public void The_systems_clock_goes_on()
    {
        NearClock clock = NearClock.Of(TimeProvider.System);
        Assert.Equal(OperatingSystem.IsLinux(), clock is BootClock);
        TimeSpan before = clock.Now;
        Assert.True(SpinWait.SpinUntil(() => clock.Now > before, TimeSpan.FromSeconds(10)));
    }
}
