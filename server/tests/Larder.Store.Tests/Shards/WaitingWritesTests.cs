namespace Larder.Store.Tests;

/// <summary>Tests that a thread that works in steps lets a waiting write take the lock between two steps.</summary>
public sealed class WaitingWritesTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    private readonly Lock _lock = new();
    private readonly WaitingWrites _waiting;

    public WaitingWritesTests() => _waiting = new WaitingWrites(_lock);

    [Fact]
    public void LetIn_returns_after_waiting_write_has_run()
    {
        for (int round = 0; round < 100; round++)
        {
            Thread write = new(EnterAndLeave);
            lock (_lock)
            {
                write.Start();
                Assert.True(SpinWait.SpinUntil(() => _waiting.Count == 1, s_limit));
            }

            _ = _waiting.YieldToWrites(sleeps: int.MaxValue);
            Assert.Equal(0, _waiting.Count);
            Assert.True(write.Join(s_limit));
        }
    }

    [Fact]
    public void LetIn_returns_after_maximum_number_of_sleeps()
    {
        Thread write = new(EnterAndLeave);
        lock (_lock)
        {
            write.Start();
            Assert.True(SpinWait.SpinUntil(() => _waiting.Count == 1, s_limit));
            Assert.Equal((0, 1), (_waiting.YieldToWrites(sleeps: 3), _waiting.Count));
        }

        Assert.True(write.Join(s_limit));
        Assert.Equal((3, 0), (_waiting.YieldToWrites(sleeps: 3), _waiting.Count));
    }

    private void EnterAndLeave()
    {
        _waiting.Enter();
        _lock.Exit();
    }
}
