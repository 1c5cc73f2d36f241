using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet.Turns;

public sealed class NodeTurnsTests
{
    // The timestamps are in milliseconds.
    private const long Frequency = 1_000;

    private readonly object _one = new();
    private readonly object _two = new();
    private readonly NodeTurns _turns = new(Frequency, new TurnLimits());
    private long _now = 1_000_000;

    [Fact]
    public void Next_sends_one_heavy_command_at_a_time()
    {
        Add("a", "b");
        Assert.Equal("a", Next());
        Assert.Null(Next());
        EndHeavy(tookMs: 0);
        Assert.Equal("b", Next());
    }

    [Theory]
    [InlineData(NodeTurns.MaxConcurrentLight, NodeTurns.MaxConcurrentLight)]
    [InlineData(NodeTurns.MaxConcurrentLight + 1, NodeTurns.MaxConcurrentLight)]
    [InlineData(NodeTurns.MaxConcurrentLight * 10, NodeTurns.MaxConcurrentLight)]
    public void Next_sends_light_commands_up_to_the_limit(int waiting, int sent)
    {
        for (int number = 0; number < waiting; number++)
        {
            _turns.Add(new FakeCommand(_one, "light", Effort.Light));
        }

        int count = 0;
        while (Next() is not null)
        {
            count++;
        }

        Assert.Equal(sent, count);
        Assert.Equal(waiting - sent, _turns.Waiting);
        _turns.End(Effort.Light, _now, _now);
        Assert.Equal(waiting > sent ? "light" : null, Next());
    }

    [Fact]
    public void Next_sends_light_commands_during_heavy_command_and_its_pause()
    {
        Add("a", "b");
        Assert.Equal("a", Next());
        _turns.Add(new FakeCommand(_one, "light", Effort.Light));
        Assert.Equal("light", Next());
        EndHeavy(tookMs: 40);
        _turns.Add(new FakeCommand(_one, "light", Effort.Light));
        Assert.Equal("light", Next());
        Assert.Null(Next());
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(40, 40)]
    [InlineData(250, 250)]
    [InlineData(2_500, 250)]
    public void End_starts_a_pause_as_long_as_the_heavy_command(long tookMs, long restMs)
    {
        Add("a", "b");
        Next();
        EndHeavy(tookMs);
        _now += restMs - 1;
        Assert.Null(Next());
        Assert.Equal(1, _turns.RemainingPause(_now));
        _now++;
        Assert.Equal("b", Next());
    }

    [Fact]
    public void End_accumulates_pauses_shorter_than_timer_resolution()
    {
        NodeTurns fine = new(1_000_000, new TurnLimits());
        for (int number = 0; number < 4; number++)
        {
            fine.Add(new FakeCommand(_one, $"{number}"));
        }

        long now = 0;
        int sent = 0;
        while (fine.Next(now) is not null)
        {
            sent++;
            fine.End(Effort.Heavy, now, now + 400);
            now += 400;
        }

        Assert.Equal(3, sent);
        Assert.Equal(1_200, fine.RemainingPause(now));
    }

    [Fact]
    public void Heavy_commands_use_half_the_time_divided_equally_between_owners()
    {
        for (int number = 0; number < 100; number++)
        {
            _turns.Add(new FakeCommand(_one, "one"));
        }

        long begun = _now;
        long busy = 0;
        Dictionary<string, int> shares = [];
        for (int number = 0; number < 50; number++)
        {
            // The second owner has at most one waiting call.
            _turns.Add(new FakeCommand(_two, "two"));
            for (int turn = 0; turn < 2; turn++)
            {
                string sent = Next()!;
                shares[sent] = shares.GetValueOrDefault(sent) + 1;
                EndHeavy(tookMs: 5);
                busy += 5;
                _now += _turns.RemainingPause(_now);
            }
        }

        Assert.Equal((50, 50), (shares["one"], shares["two"]));
        Assert.True(busy * 2 <= _now - begun, $"busy for {busy} ms of {_now - begun} ms");
    }

    private void Add(params string[] names)
    {
        foreach (string name in names)
        {
            Assert.Null(_turns.Add(new FakeCommand(_one, name)));
        }
    }

    private string? Next() => (_turns.Next(_now) as FakeCommand)?.Name;

    private void EndHeavy(long tookMs)
    {
        _now += tookMs;
        _turns.End(Effort.Heavy, _now - tookMs, _now);
    }
}
