namespace Larder.Redis.Tests;

/// <summary>The waits before retries.</summary>
public sealed class RetryScheduleTests
{
    [Theory]
    [InlineData(1, 5, 15)]
    [InlineData(2, 10, 30)]
    [InlineData(5, 80, 240)]
    [InlineData(6, 100, 300)]
    [InlineData(1000, 100, 300)]
    public void A_retry_waits_twice_as_long_each_time_up_to_a_bound(int retry, double least, double most)
    {
        Assert.Equal(least, RetrySchedule.Retry(retry, 0).TotalMilliseconds, 3);
        Assert.Equal(most, RetrySchedule.Retry(retry, 1).TotalMilliseconds, 3);
    }

    [Fact]
    public void The_first_redirect_is_followed_at_once_and_the_others_are_spread()
    {
        Assert.Equal(TimeSpan.Zero, RetrySchedule.Redirected(1, 0.99));
        Assert.Equal(2.5, RetrySchedule.Redirected(2, 0).TotalMilliseconds, 3);
        Assert.Equal(7.5, RetrySchedule.Redirected(2, 1).TotalMilliseconds, 3);
        Assert.Equal(60, RetrySchedule.Redirected(5, 1).TotalMilliseconds, 3);
    }
}
