using Larder.Harness.Clocks;
using Larder.Server.Pauses;

namespace Larder.Server.Tests.Pauses;

public sealed class PauseGuardTests
{
    private readonly ManualTime _time = new();

    [Fact]
    public void While_the_process_runs_calls_are_safe()
    {
        using PauseGuard guard = new(_time, startThread: false);
        for (int beat = 0; beat < 50; beat++)
        {
            _time.Advance(PauseGuard.Beat);
            guard.BeatOnce();
            Assert.False(guard.IsResuming());
        }
    }

    [Fact]
    public void S3_after_a_pause_calls_are_unsafe_until_the_hold_is_over()
    {
        using PauseGuard guard = new(_time, startThread: false);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(guard.IsResuming());
        guard.BeatOnce();
        Assert.True(guard.IsResuming());
        _time.Advance(PauseGuard.Hold);
        guard.BeatOnce();
        Assert.False(guard.IsResuming());
    }

    [Fact]
    public void A_beat_that_comes_first_after_a_pause_does_not_hide_it()
    {
        using PauseGuard guard = new(_time, startThread: false);
        _time.Advance(TimeSpan.FromSeconds(10));
        guard.BeatOnce();
        Assert.True(guard.IsResuming());
    }

    [Fact]
    public void A_busy_machine_is_no_pause()
    {
        using PauseGuard guard = new(_time, startThread: false);
        _time.Advance(PauseGuard.LongestBusyGap);
        Assert.False(guard.IsResuming());
    }
}
