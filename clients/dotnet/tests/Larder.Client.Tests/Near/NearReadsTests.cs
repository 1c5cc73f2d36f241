using System.Collections.Concurrent;
using Larder.Client.Near;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Near;

/// <summary>Which of several streams is asked to become the near stream (NEAR-20).</summary>
public sealed class NearReadsTests : IDisposable
{
    private readonly ManualTime _time = new();
    private readonly LogLines _log = new();
    private readonly NearReads _near;

    public NearReadsTests() => _near = new NearReads(NearScript.Setting, _time, _log);

    public void Dispose() => _near.Dispose();

    [Fact]
    public void One_stream_is_asked_at_a_time_and_the_next_when_it_is_lost()
    {
        FakeStream[] streams = [Offered(), Offered(), Offered()];
        Assert.Equal([1, 0, 0], streams.Select(static stream => stream.Opens));
        _near.Opened(streams[0], _near.Now, 3_000);
        Assert.Same(streams[0], _near.Stream);
        _near.Lost(streams[1]);
        Assert.Same(streams[0], _near.Stream);
        _near.Lost(streams[0]);
        Assert.Null(_near.Stream);
        Assert.Equal([1, 0, 1], streams.Select(static stream => stream.Opens));
        _near.Opened(streams[2], _near.Now, 3_000);
        Assert.Same(streams[2], _near.Stream);
    }

    [Fact]
    public void One_that_refuses_is_asked_no_more_and_the_next_is()
    {
        FakeStream[] streams = [Offered(), Offered()];
        _near.Refused(streams[0], "no more");
        Assert.Equal([1, 1], streams.Select(static stream => stream.Opens));
        _near.Refused(streams[1], "no more");
        Assert.Equal([1, 1], streams.Select(static stream => stream.Opens));
        Assert.Equal(1, Offered().Opens);
        Assert.Single(_log.Lines);
    }

    [Fact]
    public void An_answer_that_comes_after_its_stream_was_lost_makes_no_near_stream()
    {
        FakeStream stream = Offered();
        _near.Lost(stream);
        _near.Opened(stream, _near.Now, 3_000);
        Assert.Null(_near.Stream);
    }

    [Fact]
    public void What_is_missing_is_said_again_once_it_was_there_meanwhile()
    {
        FakeStream stream = Offered();
        _near.Refused(stream, "no more");
        FakeStream other = Offered();
        _near.Opened(other, _near.Now, 3_000);
        _near.Unavailable("not now");
        _near.Refused(other, "no more");
        Assert.Equal(2, _log.Lines.Count());
    }

    [Fact]
    public void It_is_renewed_while_there_is_a_near_stream_and_no_longer()
    {
        FakeStream stream = Offered();
        _time.AdvanceMs(10_000);
        Assert.Equal(0, stream.Renewals);
        _near.Opened(stream, _near.Now, 3_000);
        _time.AdvanceMs(3_000);
        Assert.Equal(3, stream.Renewals);
        _near.Lost(stream);
        _time.AdvanceMs(10_000);
        Assert.Equal(3, stream.Renewals);
    }

    [Fact]
    public async Task However_streams_come_and_go_at_once_one_at_most_is_asked()
    {
        ConcurrentBag<FakeStream> all = [];
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(() =>
        {
            for (int turn = 0; turn < 1_000; turn++)
            {
                FakeStream stream = Offered();
                all.Add(stream);
                _near.Opened(stream, _near.Now, 3_000);
                _near.Lost(stream);
            }
        })));
        Assert.Null(_near.Stream);
        Assert.All(all, static stream => Assert.InRange(stream.Opens, 0, 1));
        Assert.Equal(1, Offered().Opens);
    }

    private FakeStream Offered()
    {
        FakeStream stream = new(_near.NextNumber());
        _near.Offer(stream);
        return stream;
    }

    private sealed class FakeStream(long number) : INearStream
    {
        private int _opens;

        public long Number => number;

        public object Owner => this;

        public int Opens => Volatile.Read(ref _opens);

        public int Renewals { get; private set; }

        public void AskOpen() => Interlocked.Increment(ref _opens);

        public void AskRenew() => Renewals++;
    }
}
