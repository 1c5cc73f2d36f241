using Larder.Protocol;
using Larder.Server.Topics;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

/// <summary>
/// Runs three publishers and thirty subscribers at random speeds. Some subscribers disconnect and resume. Checks the order and the sequence numbers of the
/// messages.
/// </summary>
public sealed class TopicRunTests
{
    private const int Publishers = 3;
    private const int Subscribers = 30;
    private const int Messages = 4_000;

    // The number of threads that the subscribers share.
    private const int Threads = 3;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Random_runs_cause_no_unreported_loss_duplicate_or_reordering(int seed)
    {
        FeedFixture fixture = new();
        int running = Publishers;
        Follower[] followers = [.. Enumerable.Range(0, Subscribers).Select(each => new Follower(fixture, new Random((seed * 1_000) + each)))];
        IEnumerable<Task> publishing = Enumerable.Range(0, Publishers).Select(publisher => OnItsThread(() =>
        {
            try
            {
                for (int each = 0; each < Messages; each++)
                {
                    lock (fixture)
                    {
                        fixture.Publish($"{publisher}:{each}");
                    }

                    Thread.Yield();
                }
            }
            finally
            {
                Interlocked.Decrement(ref running);
            }
        }));
        IEnumerable<Task> following = followers.Chunk(Subscribers / Threads).Select(some => OnItsThread(() =>
        {
            while (Volatile.Read(ref running) > 0)
            {
                Array.ForEach(some, static follower => follower.Step());
                Thread.Yield();
            }

            Array.ForEach(some, static follower => follower.Finish());
        }));
        await Task.WhenAll([.. publishing, .. following]);
        Assert.All(followers, static follower => Assert.Equal((ulong)(Publishers * Messages), follower.Last));
        Assert.Contains(followers, static follower => follower.Gaps > 0);
        Assert.Contains(followers, static follower => follower.Cuts > 0);
        // A sequence number means the same message for every subscriber.
        Dictionary<ulong, string> byNumber = [];
        foreach ((ulong number, string value) in followers.SelectMany(static follower => follower.Got))
        {
            Assert.Equal(value, byNumber.TryGetValue(number, out string? known) ? known : byNumber[number] = value);
        }

        // Each publisher's messages are in order.
        int[] latest = [-1, -1, -1];
        foreach (string[] parts in byNumber.OrderBy(static each => each.Key).Select(static each => each.Value.Split(':')))
        {
            int publisher = int.Parse(parts[0], null);
            int number = int.Parse(parts[1], null);
            Assert.True(number > latest[publisher]);
            latest[publisher] = number;
        }
    }

    // Uses a dedicated thread, because other tests may occupy the threads of the thread pool.
    private static Task OnItsThread(Action run) => Task.Factory.StartNew(run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private sealed class Follower
    {
        private readonly FeedFixture _fixture;
        private readonly Random _random;
        private readonly List<byte> _bytes = [];
        private TopicReader _reader;
        private bool _isFresh = true;

        public Follower(FeedFixture fixture, Random random)
        {
            _fixture = fixture;
            _random = random;
            _reader = fixture.OpenUnread(fromNow: true);
            Last = _reader.Position.Number - 1;
        }

        public List<(ulong Number, string Value)> Got { get; } = [];

        public ulong Last { get; private set; }

        public int Gaps { get; private set; }

        public int Cuts { get; private set; }

        public void Step()
        {
            int what = _random.Next(200);
            if (what == 0)
            {
                // Data in transit is lost with the connection.
                Cuts++;
                _bytes.Clear();
                _fixture.Feed.Leave(_reader);
                _reader = _fixture.OpenUnread(Last + 1, FeedFixture.Page);
                _isFresh = true;
            }
            else if (what < 150)
            {
                Take(_random.Next(1, 200));
            }
            else
            {
                Thread.Yield();
            }
        }

        public void Finish()
        {
            while (Take(4_096) == 4_096)
            {
            }

            Assert.Empty(_bytes);
        }

        private int Take(int most)
        {
            byte[] room = new byte[most];
            int read = ((IPushSource)_reader).Read(room);
            _bytes.AddRange(room.AsSpan(0, read));
            while (_bytes.Count >= 5 && _bytes.Count >= 5 + Length())
            {
                int length = 5 + Length();
                Accept(FeedFixture.Decode([.. _bytes[..length]])[0]);
                _bytes.RemoveRange(0, length);
            }

            return read;
        }

        private int Length() => (_bytes[1] << 24) | (_bytes[2] << 16) | (_bytes[3] << 8) | _bytes[4];

        private void Accept(SubscriptionItem item)
        {
            Assert.Equal(_isFresh, item.KindCase == SubscriptionItem.KindOneofCase.Heartbeat);
            _isFresh = false;
            if (item.Item is { } message)
            {
                Assert.Equal(Last + 1, message.TopicSequenceNumber);
                Last = message.TopicSequenceNumber;
                Got.Add((Last, message.Value.Binary.ToStringUtf8()));
            }
            else if (item.Discontinuity is { } gap)
            {
                Assert.Equal(Last, gap.LastTopicSequence);
                Assert.True(gap.NewTopicSequence > Last);
                Last = gap.NewTopicSequence;
                Gaps++;
            }
        }
    }
}
