namespace Larder.Server.Tests;

public sealed class ShutdownDeadlineTests
{
    [Fact]
    public async Task Stalled_shutdown_is_forced_to_end()
    {
        TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using ShutdownDeadline deadline = new(TimeSpan.Zero, ended.SetResult);
        await ended.Task.WaitAsync(RunningServer.Patience);
    }

    [Fact]
    public async Task Deadline_is_extended_while_shutdown_makes_progress()
    {
        TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        long looks = 0;
        using ShutdownDeadline deadline = new(TimeSpan.Zero, ended.SetResult, () => Math.Min(++looks, 10));
        await ended.Task.WaitAsync(RunningServer.Patience);
        Assert.Equal(11, looks);
    }

    [Fact]
    public void Completed_shutdown_is_not_forced_to_end()
    {
        bool isEnded = false;
        new ShutdownDeadline(TimeSpan.FromDays(1), () => isEnded = true).Dispose();
        Assert.False(isEnded);
    }
}
