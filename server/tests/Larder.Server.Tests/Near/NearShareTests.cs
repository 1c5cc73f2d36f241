using Larder.Server.Near;
using Larder.Server.Pipeline;

namespace Larder.Server.Tests.Near;

/// <summary>Tests of how users share the near streams (NEAR-1), and which streams are affected when a cache is cleared (NEAR-5).</summary>
public sealed class NearShareTests
{
    private const int MaxStreams = 128;
    private const long Own = 1;
    private const long Other = 2;

    private readonly NearHub _hub = new(static _ => { }, MaxStreams);

    [Theory]
    [InlineData(MaxStreams)]
    [InlineData(MaxStreams + 1)]
    [InlineData(MaxStreams * 10)]
    public void User_with_every_slot_loses_newest_streams_to_another_user(int asked)
    {
        NearStream[] greedy = [.. Enumerable.Range(0, asked).Select(_ => TryOpen("greedy")).OfType<NearStream>()];
        Assert.Equal(MaxStreams, greedy.Length);
        Assert.All(greedy, stream => Assert.True(_hub.TryNote(Own, 12, stream)));

        NearStream[] neighbours = [.. Enumerable.Range(0, MaxStreams / 2).Select(_ => TryOpen("neighbour")!)];
        Assert.Null(TryOpen("neighbour"));
        Assert.Null(TryOpen("greedy"));
        Assert.Equal(MaxStreams, _hub.Count);

        // The newest streams were closed. They have a pending notification and reject new notes.
        Assert.All(greedy[64..], stream => Assert.True(stream.HasPending && !stream.IsOpen && !_hub.TryNote(Own, 12, stream)));
        Assert.All(greedy[..64], static stream => Assert.True(!stream.HasPending && stream.IsOpen));

        // No notes of the closed streams remain (NEAR-8).
        _hub.Changed(12);
        _hub.Settle();
        Assert.All(neighbours, static stream => Assert.False(stream.HasPending));
        Assert.All(greedy[..64], static stream => Assert.True(stream.HasPending));
        Assert.All(neighbours, stream => Assert.True(_hub.TryNote(Own, 12, stream)));
        _hub.Changed(12);
        _hub.Settle();
        Assert.All(neighbours, static stream => Assert.True(stream.HasPending));
    }

    [Fact]
    public void Evicted_stream_can_reopen_when_a_slot_is_free()
    {
        NearStream[] greedy = [.. Enumerable.Range(0, MaxStreams).Select(_ => TryOpen("greedy")!)];
        NearStream neighbour = TryOpen("neighbour")!;
        Assert.False(greedy[^1].IsOpen);
        Assert.False(_hub.TryOpen(greedy[^1]));
        _hub.Close(neighbour);
        Assert.True(_hub.TryOpen(greedy[^1]));
        Assert.True(_hub.TryNote(Own, 12, greedy[^1]));
        foreach (NearStream stream in greedy)
        {
            _hub.Close(stream);
        }

        Assert.Equal(0, _hub.Count);
    }

    [Fact]
    public void Near_statistics_include_evicted_and_closed_streams()
    {
        NearStream[] greedy = [.. Enumerable.Range(0, MaxStreams).Select(_ => TryOpen("greedy")!)];
        greedy[^1].Figures.Renewed();
        TryOpen("neighbour");
        Assert.Equal(1, _hub.Figures().Renews);
        _hub.Close(greedy[^1]);
        Assert.Equal(1, _hub.Figures().Renews);
    }

    [Fact]
    public void Cleared_notifies_only_streams_that_read_from_the_cache()
    {
        NearStream reader = TryOpen("reader")!;
        NearStream both = TryOpen("both")!;
        NearStream none = TryOpen("none")!;
        _hub.TryNote(Own, 1, reader);
        _hub.TryNote(Own, 1, both);
        _hub.TryNote(Other, 2, both);
        for (int i = 0; i < 1_000; i++)
        {
            _hub.Cleared(Other);
        }

        _hub.Settle();
        Assert.Equal((false, true, false), (reader.HasPending, both.HasPending, none.HasPending));
        both.WriteTo(new ReplyBuffer());

        // Clearing one cache has removed the stream's notes of both caches.
        _hub.Cleared(Other);
        _hub.Cleared(Own);
        _hub.Settle();
        Assert.Equal((true, false, false), (reader.HasPending, both.HasPending, none.HasPending));
        _hub.TryNote(Own, 3, both);
        _hub.Cleared(Other);
        _hub.Settle();
        Assert.False(both.HasPending);
        _hub.Cleared(Own);
        _hub.Settle();
        Assert.True(both.HasPending);
    }

    [Fact]
    public void NEAR_5_stream_that_read_from_many_caches_is_cleared_by_a_flush_of_any()
    {
        const int Caches = 1_000;
        NearStream many = TryOpen("many")!;
        NearStream few = TryOpen("few")!;
        _hub.TryNote(Own, 1, few);
        foreach (long flushed in (long[])[1, 64, 65, 500, Caches])
        {
            for (long cache = 1; cache <= Caches; cache++)
            {
                Assert.True(_hub.TryNote(cache, 1, many));
            }

            _hub.Cleared(flushed);
            _hub.Settle();
            Assert.True(many.HasPending);
            many.WriteTo(new ReplyBuffer());
            _hub.Cleared(flushed);
            _hub.Settle();
            Assert.False(many.HasPending);
        }

        Assert.Equal((5, 1), (many.Figures.Clears, few.HasPending ? 1 : 0));
    }

    private NearStream? TryOpen(string user)
    {
        NearStream stream = new(static () => { }, user);
        return _hub.TryOpen(stream) ? stream : null;
    }
}
