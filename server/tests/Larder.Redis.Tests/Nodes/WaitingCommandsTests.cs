namespace Larder.Redis.Tests;

/// <summary>Tests of commands that wait for a retry.</summary>
public sealed class WaitingCommandsTests
{
    private readonly WaitingCommands _waiting = new();

    [Fact]
    public void TakeDue_returns_due_commands_in_insertion_order()
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
    public void MakeDue_makes_all_commands_due()
    {
        TestCommand[] commands = [new("PING") { DueAt = 100 }, new("PING") { DueAt = 5 }];
        Assert.All(commands, command => Assert.True(_waiting.TryAdd(command)));
        _waiting.MakeDue();
        List<RedisCommand> due = [];
        Assert.False(_waiting.TakeDue(1, due));
        Assert.Equal(commands, due);
    }

    [Fact]
    public void TryAdd_fails_when_call_limit_is_reached()
    {
        for (int number = 0; number < ConnectionLimits.MaxCalls; number++)
        {
            Assert.True(_waiting.TryAdd(new TestCommand("PING")));
        }

        Assert.False(_waiting.TryAdd(new TestCommand("PING")));
        _waiting.TakeDue(0, []);
        Assert.True(_waiting.TryAdd(new TestCommand("PING")));
    }

    [Fact]
    public void HasRoom_limits_bytes_but_admits_a_single_large_command()
    {
        Assert.True(ConnectionLimits.HasRoom(0, 0, int.MaxValue));
        Assert.False(ConnectionLimits.HasRoom(1, 1, ConnectionLimits.MaxBytes));
        Assert.True(ConnectionLimits.HasRoom(1, 1, ConnectionLimits.MaxBytes - 1));
        Assert.False(ConnectionLimits.HasRoom(1, int.MaxValue, 1));
    }
}
