namespace Larder.Redis.Tests;

/// <summary>Tests of the queue of commands that wait for their replies.</summary>
public sealed class ExpectedRepliesTests
{
    private readonly ExpectedReplies _expected = new();

    [Fact]
    public void Replies_are_matched_to_commands_in_order()
    {
        TestCommand[] commands = [.. Enumerable.Range(0, 1000).Select(static _ => new TestCommand("PING"))];
        int taken = 0;
        var into = new RedisCommand?[3];
        foreach (TestCommand command in commands)
        {
            _expected.Add(command, 10);
            if (_expected.Count > 700)
            {
                Assert.True(_expected.TryTake(into));
                Assert.Equal(commands[taken..(taken + 3)], into);
                taken += 3;
            }
        }

        var rest = new RedisCommand?[_expected.Count];
        Assert.Equal(10 * rest.Length, _expected.Bytes);
        Assert.True(_expected.TryTake(rest));
        Assert.Equal(commands[taken..], rest);
        Assert.Equal((0, 0), (_expected.Count, _expected.Bytes));
    }

    [Fact]
    public void TryTake_returns_false_when_replies_exceed_commands()
    {
        _expected.Add(new TestCommand("PING"), 1);
        Assert.False(_expected.TryTake(new RedisCommand?[2]));
        Assert.Equal(1, _expected.Count);
    }

    [Fact]
    public void Expired_command_keeps_its_queue_position_and_byte_count()
    {
        TestCommand first = new("PING") { Deadline = 100 };
        TestCommand second = new("PING") { Deadline = 50 };
        TestCommand third = new("PING");
        _expected.Add(first, 1);
        _expected.Add(second, 2);
        _expected.Add(third, 4);
        List<RedisCommand> expired = [];
        Assert.Equal(50, _expected.Expire(49, expired));
        Assert.Empty(expired);
        Assert.Equal(100, _expected.Expire(50, expired));
        Assert.Equal([second], expired);
        Assert.Equal((3, 7), (_expected.Count, _expected.Bytes));
        Assert.Equal(long.MaxValue, _expected.Expire(100, expired));
        var taken = new RedisCommand?[3];
        Assert.True(_expected.TryTake(taken));
        Assert.Equal([null, null, third], taken);
    }
}
