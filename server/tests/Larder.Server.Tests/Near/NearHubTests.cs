using Larder.Server.Near;
using Larder.Server.Tests.Faults;
using Larder.Store;

namespace Larder.Server.Tests.Near;

public sealed class NearHubTests
{
    private readonly List<IChangeWatch?> _watches = [];
    private readonly NearHub _hub;

    public NearHubTests() => _hub = new NearHub(_watches.Add);

    [Fact]
    public void It_watches_from_its_first_stream_on()
    {
        Assert.Empty(_watches);
        Open();
        Open();
        Assert.Equal<IChangeWatch?>([_hub], _watches);
    }

    [Fact]
    public async Task It_watches_no_more_after_its_last()
    {
        NearStream first = Open();
        NearStream second = Open();
        _hub.Close(first);
        _hub.Close(second);
        await Until.TrueAsync(() => Task.FromResult(_watches is [_, null]), "nobody is told");
        Assert.Equal(0, _hub.Count);
    }

    [Fact]
    public void A_stream_past_the_last_number_is_refused_until_one_has_left()
    {
        NearStream[] streams = [.. Enumerable.Range(0, NearSlots.MaxStreams).Select(_ => Open())];
        Assert.Equal(Enumerable.Range(0, NearSlots.MaxStreams), streams.Select(static stream => stream.Number));
        NearStream late = new(static () => { });
        Assert.False(_hub.TryOpen(late));
        Assert.Equal(NearSlots.MaxStreams, _hub.Count);
        _hub.Close(streams[77]);
        Assert.True(_hub.TryOpen(late));
        Assert.Equal(77, late.Number);
    }

    [Fact]
    public void A_stream_with_a_number_that_was_anothers_is_not_told_of_its_notes()
    {
        NearStream first = Open();
        NearStream[] others = [.. Enumerable.Range(1, NearSlots.MaxStreams - 1).Select(_ => Open())];
        Assert.True(_hub.TryNote(1, 12, first));
        int number = first.Number;
        _hub.Close(first);
        NearStream next = Open();
        Assert.Equal(number, next.Number);
        _hub.Changed(12);
        Assert.False(next.HasPending);
        Assert.DoesNotContain(others, static stream => stream.HasPending);
    }

    [Fact]
    public void A_change_is_told_to_those_who_noted_it_and_once()
    {
        NearStream noted = Open();
        NearStream other = Open();
        Assert.True(_hub.TryNote(1, 12, noted));
        _hub.Changed(13);
        Assert.False(noted.HasPending);
        _hub.Changed(12);
        Assert.True(noted.HasPending);
        Assert.False(other.HasPending);
        _hub.ClearAll();
        Assert.True(other.HasPending);
    }

    [Fact]
    public async Task After_settling_what_was_taken_before_is_told()
    {
        using CancellationTokenSource over = new();
        NearStream[] streams = [.. Enumerable.Range(0, 8).Select(_ => Open())];
        Task[] writers =
        [
            .. Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
            {
                while (!over.IsCancellationRequested)
                {
                    _hub.Changed(12);
                }
            })),
        ];
        for (int i = 0; i < 20_000; i++)
        {
            NearStream stream = streams[i % streams.Length];
            Assert.True(_hub.TryNote(1, 12, stream));
            // This change consumes the note, unless one of the concurrent writers already has and has not notified the stream yet.
            _hub.Changed(12);
            _hub.Settle();
            Assert.True(stream.HasPending);
            stream.WriteTo(new Larder.Server.Pipeline.ReplyBuffer());
        }

        await over.CancelAsync();
        await Task.WhenAll(writers);
    }

    private NearStream Open()
    {
        NearStream stream = new(static () => { });
        Assert.True(_hub.TryOpen(stream));
        return stream;
    }
}
