namespace Larder.Server.Tests;

public sealed class ShutdownDeadlineTests
{
    [Fact]
    public async Task A_shutdown_that_takes_too_long_is_ended()
    {
        TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using ShutdownDeadline deadline = new(TimeSpan.Zero, ended.SetResult);
        await ended.Task.WaitAsync(RunningServer.Patience);
    }

    [Fact]
    public void A_shutdown_that_is_over_is_left_alone()
    {
        bool isEnded = false;
        new ShutdownDeadline(TimeSpan.FromDays(1), () => isEnded = true).Dispose();
        Assert.False(isEnded);
    }
}
