namespace Larder.Redis.Tests.Tracking;

/// <summary>Tests of NEAR-42: when it is certain that all earlier messages have been received.</summary>
public sealed class TrackingBarrierTests
{
    private readonly TrackingBarrier _barrier = new();

    [Fact]
    public void Barrier_does_not_begin_without_a_request()
    {
        Assert.False(_barrier.TryBegin(At(0)));
        Assert.False(_barrier.IsUrgent);
    }

    [Fact]
    public void Barrier_completes_when_every_read_has_returned()
    {
        long number = _barrier.Ask();
        Assert.True(_barrier.IsUrgent);
        Assert.True(_barrier.TryBegin(At(0)));
        _barrier.Add();
        _barrier.Add();
        Assert.Equal(0, _barrier.End(isGood: true));
        Assert.Equal(0, _barrier.End(isGood: true));
        Assert.True(_barrier.IsUrgent);
        Assert.Equal(number, _barrier.End(isGood: true));
        Assert.False(_barrier.IsUrgent);
        Assert.False(_barrier.TryBegin(At(1_000)));
    }

    [Fact]
    public void Barrier_does_not_complete_while_reads_are_being_sent()
    {
        _barrier.Ask();
        _barrier.TryBegin(At(0));
        for (int read = 0; read < 10; read++)
        {
            _barrier.Add();
            Assert.Equal(0, _barrier.End(isGood: true));
        }

        Assert.Equal(1, _barrier.End(isGood: true));
    }

    [Fact]
    public void Requests_during_a_round_share_the_next_round()
    {
        long first = _barrier.Ask();
        Assert.Equal(first, _barrier.Ask());
        _barrier.TryBegin(At(0));
        long second = _barrier.Ask();
        Assert.Equal((second, first + 1), (_barrier.Ask(), second));
        Assert.False(_barrier.TryBegin(At(500)));
        Assert.Equal(first, _barrier.End(isGood: true));
        Assert.True(_barrier.TryBegin(At(500)));
        Assert.Equal(second, _barrier.End(isGood: true));
    }

    [Fact]
    public void Rounds_start_at_least_100_ms_apart()
    {
        _barrier.Ask();
        Assert.True(_barrier.TryBegin(At(7)));
        _barrier.End(isGood: true);
        for (int ask = 0; ask < 128; ask++)
        {
            _barrier.Ask();
        }

        Assert.False(_barrier.TryBegin(At(106)));
        Assert.True(_barrier.TryBegin(At(107)));
        Assert.Equal(2, _barrier.End(isGood: true));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Failed_read_fails_the_barrier_round_and_starts_another_round(int failing)
    {
        long number = _barrier.Ask();
        _barrier.TryBegin(At(0));
        _barrier.Add();
        _barrier.Add();
        for (int read = 0; read < 3; read++)
        {
            Assert.Equal(0, _barrier.End(read != failing));
        }

        Assert.True(_barrier.IsUrgent);
        Assert.False(_barrier.TryBegin(At(99)));
        Assert.True(_barrier.TryBegin(At(100)));
        Assert.True(_barrier.End(isGood: true) > number);
    }

    private static TimeSpan At(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
