using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet.Turns;

public sealed class TurnQueueTests
{
    private static readonly TurnLimits s_limits = new(MaxCallsOfOwner: 10, MaxBytesOfOwner: 10_000, MaxCalls: 40, MaxBytes: 40_000);

    private readonly object _one = new();
    private readonly object _two = new();

    [Fact]
    public void Take_alternates_between_owners_in_their_order()
    {
        TurnQueue queue = Queue(new(_one, "1a"), new(_one, "1b"), new(_one, "1c"), new(_two, "2a"), new(_two, "2b"));
        Assert.Equal(["1a", "2a", "1b", "2b", "1c"], TakeAll(queue));
    }

    [Fact]
    public void Take_prefers_next_step_of_a_started_call()
    {
        TurnQueue queue = Queue(new(_one, "1a"), new(_one, "1b"), new(_two, "2a"), new FakeCommand(_one, "1a's next") { IsContinued = true });
        Assert.Equal(["1a's next", "2a", "1a", "1b"], TakeAll(queue));
    }

    [Theory]
    [InlineData(10, 0)]
    [InlineData(11, 1)]
    [InlineData(100, 90)]
    public void Add_rejects_calls_over_the_limit_of_their_owner(int calls, int refused)
    {
        TurnQueue queue = new(s_limits);
        Assert.Equal(refused, Enumerable.Range(0, calls).Count(number => queue.Add(new FakeCommand(_one, $"{number}") { EncodedBytes = 1 }) is not null));
        Assert.Null(queue.Add(new FakeCommand(_two, "another owner's")));
        Assert.Equal(Math.Min(calls, 10) + 1, queue.Count);
    }

    [Theory]
    [InlineData(10_000, 0)]
    [InlineData(10_001, 1)]
    [InlineData(100_000, 1)]
    public void Add_rejects_bytes_over_the_limit_of_their_owner(int bytes, int refused)
    {
        TurnQueue queue = Queue(new FakeCommand(_one, "first") { EncodedBytes = 1 });
        IQueuedCommand? dropped = queue.Add(new FakeCommand(_one, "second") { EncodedBytes = bytes - 1 });
        Assert.Equal(refused, dropped is null ? 0 : 1);
        Assert.Equal(2 - refused, queue.Count);
    }

    [Fact]
    public void Add_accepts_a_single_command_of_any_size()
    {
        TurnQueue queue = Queue(new FakeCommand(_one, "large") { EncodedBytes = 1_000_000 });
        Assert.Equal(["large"], TakeAll(queue));
        Assert.Equal((0, 0L), (queue.Count, queue.Bytes));
    }

    [Theory]
    [InlineData(40, 0)]
    [InlineData(41, 1)]
    [InlineData(400, 360)]
    public void Add_drops_newest_call_of_largest_owner_over_total_limit(int calls, int dropped)
    {
        TurnQueue queue = new(s_limits);
        int took = 0;
        List<string> names = [];
        // The limit is 40 calls. The five owners with eight calls each, together with the small owner, exceed it.
        object few = new();
        queue.Add(new FakeCommand(few, "few"));
        object[] owners = [.. Enumerable.Range(0, 5).Select(_ => new object())];
        for (int number = 0; number < calls - 1; number++)
        {
            if (queue.Add(new FakeCommand(owners[number % 5], $"{number}") { EncodedBytes = 1 }) is FakeCommand gone)
            {
                took++;
                names.Add(gone.Name);
            }
        }

        Assert.Equal(dropped, took);
        Assert.Equal(Math.Min(calls, 40), queue.Count);
        Assert.DoesNotContain("few", names);
    }

    [Fact]
    public void TakeOver_removes_abandoned_and_expired_calls()
    {
        FakeCommand gone = new(_one, "gone");
        FakeCommand late = new(_one, "late") { EndsAt = 5 };
        FakeCommand waits = new(_one, "waits") { EndsAt = 6 };
        TurnQueue queue = Queue(late, gone, waits, new FakeCommand(_two, "late too") { EndsAt = 4 });
        gone.IsGone = true;
        List<IQueuedCommand> over = [];
        queue.TakeOver(5, over);
        Assert.Equal(["gone", "late", "late too"], over.Select(each => ((FakeCommand)each).Name).Order());
        Assert.Equal(["waits"], TakeAll(queue));
    }

    private static TurnQueue Queue(params FakeCommand[] takers)
    {
        TurnQueue queue = new(s_limits);
        Assert.All(takers, taker => Assert.Null(queue.Add(taker)));
        return queue;
    }

    private static List<string> TakeAll(TurnQueue queue)
    {
        List<string> names = [];
        while (queue.Take() is FakeCommand taker)
        {
            names.Add(taker.Name);
        }

        return names;
    }
}
