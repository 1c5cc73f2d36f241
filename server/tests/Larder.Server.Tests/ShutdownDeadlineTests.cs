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
    public async Task A_shutdown_that_moves_on_is_given_as_long_again_until_it_stands_still()
    {
        TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        long looks = 0;
        using ShutdownDeadline deadline = new(TimeSpan.Zero, ended.SetResult, () => Math.Min(++looks, 10));
        await ended.Task.WaitAsync(RunningServer.Patience);
        Assert.Equal(11, looks);
    }

    [Fact]
    public void A_shutdown_that_is_over_is_left_alone()
    {
        bool isEnded = false;
        new ShutdownDeadline(TimeSpan.FromDays(1), () => isEnded = true).Dispose();
        Assert.False(isEnded);
    }
}
