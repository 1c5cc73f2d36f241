using Larder.Server.Near;
using Larder.Server.Pipeline;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Near;

/// <summary>Tests of the delivery of changes when a stream leaves, or when the delivery fails.</summary>
public sealed class NearDeliveryTests
{
    private const int Streams = 4;

    private readonly NearSlots _slots = new(Streams + 1);
    private readonly NearReaders _readers = new();
    private readonly NearStream?[] _streams = new NearStream?[Streams];
    private readonly NearDelivery _delivery;
    private readonly int[] _signals = new int[Streams];

    public NearDeliveryTests()
    {
        for (int number = 0; number < Streams; number++)
        {
            int each = number;
            NearStream stream = new(() => Interlocked.Increment(ref _signals[each]));
            stream.Open(number);
            _streams[number] = stream;
        }

        _delivery = new NearDelivery(_slots, _readers, _streams);
    }

    // The change is delivered after the stream has left the table, and before it is woken.
    [Fact]
    public void NEAR_4_change_while_a_stream_is_revoked_is_covered_by_clear()
    {
        NearStream leaving = _streams[1]!;
        Note(leaving, 12);
        leaving.Leave(_readers);
        Assert.True(leaving.HasPending);
        _streams[1] = null;
        Assert.True(_slots.Log(12));
        _delivery.Settle();
        leaving.WriteTo(new ReplyBuffer());
        Assert.Equal((1L, 0L), (leaving.Figures.Clears, leaving.Figures.Tickets));
    }

    [Fact]
    public void NEAR_4_failed_delivery_clears_every_stream()
    {
        Note(_streams[0]!, 12);
        Note(_streams[2]!, 13);
        Assert.True(_slots.Log(12) && _slots.Log(13));
        FailOnce();
        for (int number = 0; number < Streams; number++)
        {
            _streams[number]!.WriteTo(new ReplyBuffer());
            Assert.Equal((1L, 0L, 1), (_streams[number]!.Figures.Clears, _streams[number]!.Figures.Tickets, _signals[number]));
        }

        // The next delivery is complete, and goes to the right streams.
        Note(_streams[1]!, 20);
        Note(_streams[3]!, 21);
        Assert.True(_slots.Log(20) && _slots.Log(21));
        _delivery.Settle();
        Assert.Equal([false, true, false, true], _streams.Select(static stream => stream!.HasPending));
        _streams[1]!.WriteTo(new ReplyBuffer());
        Assert.Equal((1L, 1L), (_streams[1]!.Figures.Clears, _streams[1]!.Figures.Tickets));
    }

    [Fact]
    public void NEAR_5_flush_after_a_failed_delivery_clears_the_reader()
    {
        Note(_streams[0]!, 12);
        Assert.True(_readers.Log(1));
        FailOnce();
        _streams[0]!.WriteTo(new ReplyBuffer());
        Note(_streams[0]!, 12);
        Assert.True(_readers.Log(1));
        _delivery.Settle();
        Assert.True(_streams[0]!.HasPending);
    }

    [Fact]
    public async Task NEAR_6_stream_that_cannot_be_woken_does_not_stop_the_delivery()
    {
        NearStream faulty = new(static () => throw new InvalidOperationException());
        faulty.Open(0);
        _streams[0] = faulty;
        for (int change = 1; change <= 3; change++)
        {
            Note(faulty, 12);
            Note(_streams[1]!, 12);
            Assert.True(_slots.Log(12));
            _delivery.Schedule();
            int expected = change;
            await Until.TrueAsync(() => Task.FromResult(Volatile.Read(ref _signals[1]) == expected), "the other stream is woken");
            faulty.WriteTo(new ReplyBuffer());
            _streams[1]!.WriteTo(new ReplyBuffer());
        }
    }

    private void Note(NearStream stream, uint ticket) => Assert.True(stream.TryNote(1, ticket, _slots, _readers, 1_000));

    // A number that no stream can have makes the delivery fail after it has taken the changes from the log.
    private void FailOnce()
    {
        _slots.Note(40, Streams);
        Assert.True(_slots.Log(40));
        _delivery.Settle();
        Assert.False(_slots.HasLogged || _readers.HasLogged);
    }
}
