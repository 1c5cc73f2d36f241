using Larder.Harness.Clocks;
using Larder.Server.Pauses;

namespace Larder.Server.Tests.Pauses;

public sealed class PauseGuardTests
{
    private readonly ManualTime _time = new();

    [Fact]
    public void PauseGuard_reports_no_pause_while_heartbeats_are_regular()
    {
        using PauseGuard guard = new(_time, startThread: false);
        for (int beat = 0; beat < 50; beat++)
        {
            _time.Advance(PauseGuard.Beat);
            guard.RecordHeartbeat();
            Assert.False(guard.IsResuming());
        }
    }

    [Fact]
    public void S3_pause_is_reported_until_the_hold_time_has_passed()
    {
        using PauseGuard guard = new(_time, startThread: false);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(guard.IsResuming());
        guard.RecordHeartbeat();
        Assert.True(guard.IsResuming());
        _time.Advance(PauseGuard.Hold);
        guard.RecordHeartbeat();
        Assert.False(guard.IsResuming());
    }

    [Fact]
    public void Heartbeat_directly_after_a_pause_does_not_hide_the_pause()
    {
        using PauseGuard guard = new(_time, startThread: false);
        _time.Advance(TimeSpan.FromSeconds(10));
        guard.RecordHeartbeat();
        Assert.True(guard.IsResuming());
    }

    [Fact]
    public void Heartbeat_gap_of_a_busy_machine_is_not_a_pause()
    {
        using PauseGuard guard = new(_time, startThread: false);
        _time.Advance(PauseGuard.LongestBusyGap);
        Assert.False(guard.IsResuming());
    }
}
