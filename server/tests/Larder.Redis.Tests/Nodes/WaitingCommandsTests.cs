namespace Larder.Redis.Tests;

/// <summary>Commands that wait for a retry.</summary>
public sealed class WaitingCommandsTests
{
    private readonly WaitingCommands _waiting = new();

    [Fact]
    public void They_come_out_when_they_are_due_and_in_their_order()
    {
        TestCommand[] commands = [.. new long[] { 30, 10, 20, 10 }.Select(static due => new TestCommand("PING") { DueAt = due })];
        Assert.All(commands, command => Assert.True(_waiting.TryAdd(command)));
        List<RedisCommand> due = [];
        Assert.True(_waiting.TakeDue(9, due));
        Assert.Empty(due);
        Assert.True(_waiting.TakeDue(20, due));
        Assert.Equal([commands[1], commands[2], commands[3]], due);
        due.Clear();
        Assert.False(_waiting.TakeDue(30, due));
        Assert.Equal([commands[0]], due);
        Assert.Equal(0, _waiting.Count);
    }

    [Fact]
    public void All_are_due_once_what_they_wait_for_has_come()
    {
        TestCommand[] commands = [new("PING") { DueAt = 100 }, new("PING") { DueAt = 5 }];
        Assert.All(commands, command => Assert.True(_waiting.TryAdd(command)));
        _waiting.MakeDue();
        List<RedisCommand> due = [];
        Assert.False(_waiting.TakeDue(1, due));
        Assert.Equal(commands, due);
    }

    [Fact]
    public void As_many_as_may_wait_and_not_one_more()
    {
        for (int number = 0; number < ConnectionLimits.MostCalls; number++)
        {
            Assert.True(_waiting.TryAdd(new TestCommand("PING")));
        }

        Assert.False(_waiting.TryAdd(new TestCommand("PING")));
        _waiting.TakeDue(0, []);
        Assert.True(_waiting.TryAdd(new TestCommand("PING")));
    }

    [Fact]
    public void Bytes_are_bounded_but_one_alone_may_be_larger()
    {
        Assert.True(ConnectionLimits.HasRoom(0, 0, int.MaxValue));
        Assert.False(ConnectionLimits.HasRoom(1, 1, ConnectionLimits.MostBytes));
        Assert.True(ConnectionLimits.HasRoom(1, 1, ConnectionLimits.MostBytes - 1));
        Assert.False(ConnectionLimits.HasRoom(1, int.MaxValue, 1));
    }
}
