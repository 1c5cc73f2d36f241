using Larder.Server.Near;
using Larder.Server.Pipeline;
using Larder.Store;

namespace Larder.Server.Tests.Near;

/// <summary>Tests of a hub with its maximum number of streams.</summary>
public sealed class NearScaleTests
{
    private const int MaxStreams = NearHub.DefaultMaxStreams;

    private readonly NearHub _hub = new(static _ => { });

    [Theory]
    [InlineData(MaxStreams)]
    [InlineData(MaxStreams + 1)]
    [InlineData(MaxStreams * 10)]
    public void NEAR_1_hub_opens_5000_streams_and_refuses_more(int asked)
    {
        NearStream[] open = [.. Enumerable.Range(0, asked).Select(_ => TryOpen()).OfType<NearStream>()];
        Assert.Equal(MaxStreams, open.Length);
        Assert.Equal(MaxStreams, _hub.Count);
        Assert.All(open, stream => Assert.True(_hub.TryNote(1, 12, stream)));
        _hub.Changed(12);
        _hub.Settle();
        Assert.All(open, static stream => Assert.True(stream.HasPending));
    }

    [Fact]
    public void NEAR_9_stream_over_its_share_is_notified_of_other_tickets()
    {
        NearStream first = TryOpen()!;
        NearStream[] others = [.. Enumerable.Range(1, MaxStreams - 1).Select(_ => TryOpen()!)];
        Assert.Equal(NearHub.MaxRegistrations / MaxStreams, _hub.Share);
        for (uint ticket = 0; ticket < _hub.Share; ticket++)
        {
            Assert.True(_hub.TryNote(1, ticket, first));
        }

        Assert.False(first.HasPending);
        Assert.True(_hub.TryNote(1, (uint)_hub.Share, first));
        Assert.Equal(NearBlocks.Tickets, PendingOf(first));

        // Ten times the share: at most the share is registered, and the stream was notified of the rest.
        int asked = 10 * _hub.Share;
        for (uint ticket = (uint)_hub.Share + 1; ticket < asked; ticket++)
        {
            Assert.True(_hub.TryNote(1, ticket, first));
        }

        int forgotten = PendingOf(first) + NearBlocks.Tickets;
        for (uint ticket = 0; ticket < asked; ticket++)
        {
            _hub.Changed(ticket);
        }

        _hub.Settle();
        int registered = PendingOf(first);
        Assert.InRange(registered, _hub.Share - NearBlocks.Tickets, _hub.Share);
        Assert.Equal(asked, forgotten + registered);
        Assert.DoesNotContain(others, static stream => stream.HasPending);
    }

    [Fact]
    public void NEAR_9_get_of_registered_key_at_the_share_drops_nothing()
    {
        NearStream first = TryOpen()!;
        NearStream[] others = [.. Enumerable.Range(1, MaxStreams - 1).Select(_ => TryOpen()!)];
        for (uint ticket = 0; ticket < _hub.Share; ticket++)
        {
            Assert.True(_hub.TryNote(1, ticket, first));
        }

        Assert.True(_hub.TryNote(1, 0, first));
        Assert.False(first.HasPending);
        Assert.DoesNotContain(others, static stream => stream.HasPending);
    }

    [Fact]
    public void NEAR_9_smaller_share_applies_at_renewals_and_gets()
    {
        const int Registered = 100_000;
        NearStream first = TryOpen()!;
        NearStream second = TryOpen()!;
        for (uint ticket = 0; ticket < Registered; ticket++)
        {
            Assert.True(_hub.TryNote(1, ticket, first) && _hub.TryNote(1, ticket, second));
        }

        for (int i = 2; i < MaxStreams; i++)
        {
            TryOpen();
        }

        // A get removes only a few registrations. Until the stream is under its share, the client must not cache values.
        Assert.False(_hub.TryNote(1, Registered, second));
        Assert.InRange(PendingOf(second), NearBlocks.Tickets, 16 * NearBlocks.Tickets);
        int gets = 0;
        while (!_hub.TryNote(1, Registered, second))
        {
            gets++;
        }

        Assert.InRange(gets, 50, 200);
        for (int renewals = 0; renewals < 2; renewals++)
        {
            _hub.Trim(first);
            Assert.True(first.HasPending);
        }

        PendingOf(first);
        _hub.Trim(first);
        Assert.False(first.HasPending);
        for (uint ticket = 0; ticket < Registered; ticket++)
        {
            _hub.Changed(ticket);
        }

        _hub.Settle();
        Assert.InRange(PendingOf(first), _hub.Share - NearBlocks.Tickets, _hub.Share);
    }

    [Fact]
    public void NEAR_5_full_log_of_a_stripe_clears_only_its_readers()
    {
        NearStream reader = TryOpen()!;
        NearStream other = TryOpen()!;
        for (int change = 0; change < 3 * NearSlots.MaxLogged; change++)
        {
            // The two tickets are in different stripes. Without Settle, a work item of the thread pool delivers the changes at any time.
            Assert.True(_hub.TryNote(1, 12, reader));
            _hub.Changed(12);
        }

        Assert.True(_hub.TryNote(1, NearBlocks.Tickets, other));
        _hub.Changed(NearBlocks.Tickets);
        _hub.Settle();
        Assert.True(reader.HasPending);
        Assert.Equal(1, PendingOf(other));
        Assert.Equal(0, other.Figures.Clears);
    }

    [Fact]
    public void NEAR_9_one_stream_can_register_every_ticket()
    {
        NearStream only = TryOpen()!;
        for (uint ticket = 0; ticket < KeyTicket.Count; ticket++)
        {
            Assert.True(_hub.TryNote(1, ticket, only));
        }

        Assert.False(only.HasPending);
    }

    [Fact]
    public void NEAR_5_stream_that_does_not_read_gets_clear_and_others_get_tickets()
    {
        NearStream slow = TryOpen()!;
        NearStream reading = TryOpen()!;
        int told = 0;
        for (uint ticket = 0; ticket < NearQueue.MaxTickets + 1; ticket++)
        {
            Assert.True(_hub.TryNote(1, ticket, slow) && _hub.TryNote(1, ticket, reading));
            _hub.Changed(ticket);
            if (ticket % 1_000 == 999)
            {
                _hub.Settle();
                told += PendingOf(reading);
            }
        }

        _hub.Settle();
        told += PendingOf(reading);
        Assert.Equal((NearQueue.MaxTickets + 1, 0L), (told, reading.Figures.Clears));
        Assert.Equal(0, PendingOf(slow));
        Assert.Equal(1, slow.Figures.Clears);
    }

    [Fact]
    public async Task NEAR_3_streams_that_open_and_close_at_random_miss_no_change()
    {
        const int Readers = 4;
        const int Tickets = 300;
        using CancellationTokenSource over = new();
        Task writer = Task.Run(() =>
        {
            Random random = new(1);
            while (!over.IsCancellationRequested)
            {
                _hub.Changed((uint)random.Next(Tickets));
            }
        });
        await Task.WhenAll(Enumerable.Range(0, Readers).Select(reader => Task.Run(() =>
        {
            Random random = new(reader);
            NearStream?[] streams = new NearStream?[100];
            for (int i = 0; i < 20_000; i++)
            {
                ref NearStream? stream = ref streams[random.Next(streams.Length)];
                if (stream is not null && random.Next(8) == 0)
                {
                    _hub.Close(stream);
                    stream = null;
                    continue;
                }

                stream ??= TryOpen()!;
                PendingOf(stream);
                uint ticket = (uint)random.Next(Tickets);
                Assert.True(_hub.TryNote(1, ticket, stream));
                _hub.Changed(ticket);
                _hub.Settle();
                Assert.True(stream.HasPending);
            }

            foreach (NearStream? stream in streams)
            {
                if (stream is not null)
                {
                    _hub.Close(stream);
                }
            }
        })));
        await over.CancelAsync();
        await writer;
        Assert.Equal(0, _hub.Count);
    }

    private static int PendingOf(NearStream stream)
    {
        long before = stream.Figures.Tickets;
        while (stream.WriteTo(new ReplyBuffer()))
        {
        }

        return (int)(stream.Figures.Tickets - before);
    }

    private NearStream? TryOpen()
    {
        NearStream stream = new(static () => { });
        return _hub.TryOpen(stream) ? stream : null;
    }
}
