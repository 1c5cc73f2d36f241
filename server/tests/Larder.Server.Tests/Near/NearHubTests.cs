using Larder.Server.Near;
using Larder.Server.Tests.Faults;
using Larder.Store;

namespace Larder.Server.Tests.Near;

public sealed class NearHubTests
{
    private const int MaxStreams = 200;

    private readonly List<IChangeWatch?> _watches = [];
    private readonly NearHub _hub;

    public NearHubTests() => _hub = new NearHub(_watches.Add, MaxStreams);

    [Fact]
    public void Hub_starts_watching_changes_when_the_first_stream_opens()
    {
        Assert.Empty(_watches);
        Open();
        Open();
        Assert.Equal<IChangeWatch?>([_hub], _watches);
    }

    [Fact]
    public async Task Hub_stops_watching_changes_after_the_last_stream_closes()
    {
        NearStream first = Open();
        NearStream second = Open();
        _hub.Close(first);
        _hub.Close(second);
        await Until.TrueAsync(() => Task.FromResult(_watches is [_, null]), "nobody is told");
        Assert.Equal(0, _hub.Count);
    }

    [Fact]
    public void TryOpen_fails_over_the_limit_until_a_stream_closes()
    {
        NearStream[] streams = [.. Enumerable.Range(0, MaxStreams).Select(_ => Open())];
        Assert.Equal(Enumerable.Range(0, MaxStreams), streams.Select(static stream => stream.Number));
        NearStream late = new(static () => { });
        Assert.False(_hub.TryOpen(late));
        Assert.Equal(MaxStreams, _hub.Count);
        _hub.Close(streams[77]);
        Assert.True(_hub.TryOpen(late));
        Assert.Equal(77, late.Number);
    }

    [Fact]
    public void Reused_stream_number_does_not_inherit_registrations_of_previous_stream()
    {
        NearStream first = Open();
        NearStream[] others = [.. Enumerable.Range(1, MaxStreams - 1).Select(_ => Open())];
        Assert.True(_hub.TryNote(1, 12, first));
        int number = first.Number;
        _hub.Close(first);
        NearStream next = Open();
        Assert.Equal(number, next.Number);
        _hub.Changed(12);
        _hub.Settle();
        Assert.False(next.HasPending);
        Assert.DoesNotContain(others, static stream => stream.HasPending);
    }

    [Fact]
    public void Change_notifies_only_streams_that_read_the_changed_key()
    {
        NearStream noted = Open();
        NearStream other = Open();
        Assert.True(_hub.TryNote(1, 12, noted));
        _hub.Changed(13);
        _hub.Settle();
        Assert.False(noted.HasPending);
        _hub.Changed(12);
        _hub.Settle();
        Assert.True(noted.HasPending);
        Assert.False(other.HasPending);
        _hub.ClearAll();
        Assert.True(other.HasPending);
    }

    [Fact]
    public async Task Settle_waits_until_concurrent_changes_are_delivered()
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
            // This change consumes the note, unless a concurrent writer has already consumed it. In the latter case, that writer may not have notified the
            // stream yet, so the test calls Settle.
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
