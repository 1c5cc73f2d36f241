using System.Security.Authentication;
using Larder.Client.Calls;
using Larder.Client.Pipeline;
using Larder.Wire;

namespace Larder.Client.Tests.Pipeline;

public sealed class LinkStateTests
{
    private static readonly Failure s_unreached = new(StatusCode.Unavailable, "nobody listens") { NotProcessed = true };
    private static readonly Failure s_refused = new(StatusCode.Unauthenticated, "no token");

    private readonly Clock _clock = new(TimeProvider.System);
    private readonly LinkState _link;

    // The back-offs are 20, 40, 80 … ms. There is no jitter, because the random draw is always 1.
    public LinkStateTests() => _link = new LinkState(_clock, new RetryPolicy(0, TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(1)));

    [Fact]
    public void Link_opens_one_stream_at_a_time()
    {
        Assert.Equal((LinkPhase.Idle, "not connected"), (_link.Phase, _link.Describe()));
        Assert.True(_link.TryBegin());
        Assert.Equal("connecting", _link.Describe());
        Assert.False(_link.TryBegin());
        Assert.True(_link.TryOpen(At(0), out int failures));
        Assert.Equal((LinkPhase.Open, 0), (_link.Phase, failures));
        Assert.False(_link.TryBegin());
        _link.Lost(At(5_000), 1);
        Assert.True(_link.TryBegin());
    }

    [Fact]
    public void Link_backs_off_and_counts_failed_attempts_until_stream_opens()
    {
        _link.TryBegin();
        foreach (int wait in (int[])[20, 40, 80])
        {
            Assert.Equal(wait, _link.Failed(s_unreached, At(0), 1)!.Value.TotalMilliseconds);
            Assert.Equal(LinkPhase.BackingOff, _link.Phase);
            Assert.False(_link.TryBegin());
            Assert.False(_link.TryAgain(At(100)));
            Assert.Equal(LinkPhase.Connecting, _link.Phase);
        }

        Assert.Equal("failed 3 times (nobody listens)", _link.Describe());
        Assert.True(_link.TryOpen(At(200), out int failures));
        Assert.Equal((3, 0), (failures, _link.Failures));
    }

    [Fact]
    public void Rejected_stream_is_retried_only_by_the_next_call()
    {
        _link.TryBegin();
        Assert.Null(_link.Failed(s_refused, At(0), 1));
        Assert.Equal(s_refused, _link.LastConnectFailure(At(0)));
        Assert.Null(_link.RefusalOf(At(10_000)));
        Assert.True(_link.TryBegin());
    }

    [Theory]
    [InlineData(2_000, false)]
    [InlineData(2_001, true)]
    [InlineData(20_000, true)]
    public void Calls_fail_immediately_after_two_seconds_without_a_connection(int atMs, bool failsAtOnce)
    {
        _link.TryBegin();
        _link.Failed(s_unreached, At(0), 1);
        _link.Failed(s_unreached, At(1_000), 1);
        Failure? refusal = _link.RefusalOf(At(atMs));
        Assert.Equal(failsAtOnce, refusal is not null);
        Failure told = _link.NotConnected(At(atMs));
        Assert.Equal((StatusCode.Unavailable, "No connection: nobody listens", true, failsAtOnce), (told.Code, told.Message, told.NeverSent, told.FailFast));
    }

    // The grace period does not apply to protocol errors and TLS errors. So calls fail immediately, regardless of the time since the connection was lost.
    [Theory]
    [InlineData(0)]
    [InlineData(2_000)]
    [InlineData(20_000)]
    public void Calls_fail_immediately_on_protocol_or_TLS_errors(int atMs)
    {
        foreach (Exception fault in (Exception[])[new ProtocolMismatchException("the port requires TLS"), new AuthenticationException("not trusted")])
        {
            LinkState link = new(_clock, new RetryPolicy(0, TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(1)));
            link.TryBegin();
            Failure failure = new(StatusCode.Unavailable, "of another kind") { NotProcessed = true, Exception = new IOException("wrapped", fault) };
            // The client still retries in the background.
            Assert.Equal(20, link.Failed(failure, At(0), 1)!.Value.TotalMilliseconds);
            Assert.True(link.NotConnected(At(atMs)).FailFast);
            Assert.NotNull(link.RefusalOf(At(atMs)));
            Assert.True(link.TryAgain(At(atMs)));
            Assert.True(link.TryOpen(At(atMs), out _));
            Assert.Null(link.RefusalOf(At(atMs)));
        }
    }

    [Fact]
    public void Calls_after_grace_period_wait_for_one_short_connection_attempt()
    {
        _link.TryBegin();
        _link.Failed(s_unreached, At(0), 1);
        _link.Failed(s_unreached, At(3_000), 1);
        Assert.True(_link.TryAgain(At(3_100)));
        Assert.Null(_link.RefusalOf(At(3_100)));
        Assert.False(_link.TryIsLate(failures: 1));
        Assert.True(_link.TryIsLate(failures: 2));
        Assert.NotNull(_link.RefusalOf(At(3_400)));
        Assert.False(_link.TryIsLate(failures: 2));
        Assert.True(_link.TryOpen(At(3_500), out _));
        Assert.Null(_link.RefusalOf(At(3_500)));
    }

    [Theory]
    [InlineData(999, 20)]
    [InlineData(1_000, 0)]
    public void Link_backs_off_only_after_streams_shorter_than_one_second(int livedMs, int waitMs)
    {
        Open(0);
        Assert.Equal(waitMs, _link.Lost(At(livedMs), 1).TotalMilliseconds);
    }

    [Fact]
    public void Back_off_doubles_after_short_streams_until_a_long_one()
    {
        Open(0);
        Assert.Equal(20, _link.Lost(At(1), 1).TotalMilliseconds);
        Open(100);
        Assert.Equal(40, _link.Lost(At(101), 1).TotalMilliseconds);
        Open(200);
        Assert.Equal(0, _link.Lost(At(5_000), 1).TotalMilliseconds);
        Open(6_000);
        Assert.Equal(20, _link.Lost(At(6_001), 1).TotalMilliseconds);
    }

    [Fact]
    public void Closed_link_stays_closed_after_late_events()
    {
        _link.TryBegin();
        _link.Close();
        Assert.False(_link.TryOpen(At(0), out _));
        _link.Failed(s_unreached, At(0), 1);
        _link.TryAgain(At(1));
        _link.FallBack();
        _link.Lost(At(2), 1);
        Assert.Equal(LinkPhase.Closed, _link.Phase);
        Assert.False(_link.TryBegin());
        Assert.Equal(StatusCode.Cancelled, _link.RefusalOf(At(3))!.Value.Code);
    }

    [Fact]
    public void Link_does_not_retry_the_pipeline_if_it_is_unsupported()
    {
        _link.TryBegin();
        _link.FallBack();
        Assert.Equal(LinkPhase.Unary, _link.Phase);
        Assert.False(_link.TryBegin());
    }

    private void Open(int atMs)
    {
        Assert.True(_link.TryBegin());
        Assert.True(_link.TryOpen(At(atMs), out _));
    }

    // Returns the clock's ticks at a time in milliseconds. Time 0 is 100 s after the clock's start.
    private long At(int ms) => _clock.Ticks(TimeSpan.FromMilliseconds(100_000 + ms));
}
