namespace Larder.Redis.Tests;

/// <summary>Tests of the waits before retries.</summary>
public sealed class RetryScheduleTests
{
    [Theory]
    [InlineData(1, 5, 15)]
    [InlineData(2, 10, 30)]
    [InlineData(5, 80, 240)]
    [InlineData(6, 100, 300)]
    [InlineData(1000, 100, 300)]
    public void Retry_delay_doubles_up_to_a_limit(int retry, double least, double most)
    {
        Assert.Equal(least, RetrySchedule.Retry(retry, 0).TotalMilliseconds, 3);
        Assert.Equal(most, RetrySchedule.Retry(retry, 1).TotalMilliseconds, 3);
    }

    [Fact]
    public void First_redirect_has_no_delay_and_later_ones_have_jitter()
    {
        Assert.Equal(TimeSpan.Zero, RetrySchedule.Redirected(1, 0.99));
        Assert.Equal(2.5, RetrySchedule.Redirected(2, 0).TotalMilliseconds, 3);
        Assert.Equal(7.5, RetrySchedule.Redirected(2, 1).TotalMilliseconds, 3);
        Assert.Equal(60, RetrySchedule.Redirected(5, 1).TotalMilliseconds, 3);
    }
}
