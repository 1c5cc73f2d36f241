using System.Collections.Concurrent;
using Larder.Client.Near;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Near;

/// <summary>Tests which of several streams the client asks to become the near stream (NEAR-20).</summary>
public sealed class NearReadsTests : IDisposable
{
    private readonly ManualTime _time = new();
    private readonly LogLines _log = new();
    private readonly NearReads _near;

    public NearReadsTests() => _near = new NearReads(NearScript.Setting, _time, _log);

    public void Dispose() => _near.Dispose();

    [Fact]
    public void Near_open_is_sent_to_one_stream_at_a_time()
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
    public void Near_open_is_not_repeated_on_a_rejecting_stream()
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
    public void Near_opened_response_of_a_lost_stream_is_ignored()
    {
        FakeStream stream = Offered();
        _near.Lost(stream);
        _near.Opened(stream, _near.Now, 3_000);
        Assert.Null(_near.Stream);
    }

    [Fact]
    public void Near_cache_refusal_after_a_successful_open_is_logged_again()
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
    public void Near_lease_is_renewed_only_while_a_near_stream_exists()
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
    public async Task Concurrent_threads_send_near_open_at_most_once_per_stream()
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
