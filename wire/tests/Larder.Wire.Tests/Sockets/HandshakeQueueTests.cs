using System.Net;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

public sealed class HandshakeQueueTests
{
    private const long Cheap = 1_000;
    private const long Expensive = 1_000_000_000;

    private static readonly IPAddress s_attacker = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress s_client = IPAddress.Parse("192.0.2.2");

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(1_000)]
    public void TryTake_alternates_between_networks(int queued)
    {
        HandshakeQueue queue = new(maxRunning: 1);
        for (int index = 0; index < queued; index++)
        {
            queue.Add(new Work(), s_attacker, bytes: 0);
        }

        Assert.True(queue.TryTake(out HandshakeQueue.Turn running));
        queue.Add(new Work(), s_client, bytes: 0);
        queue.Done(running, Expensive);
        Assert.True(queue.TryTake(out HandshakeQueue.Turn next));
        Assert.Equal(s_client, next.Network);
    }

    [Fact]
    public void TryTake_divides_CPU_time_equally_between_networks()
    {
        HandshakeQueue queue = new(maxRunning: 1);
        for (int index = 0; index < 100; index++)
        {
            queue.Add(new Work(), s_attacker, bytes: 0);
            queue.Add(new Work(), s_client, bytes: 0);
        }

        int expensive = 0;
        for (int index = 0; index < 100; index++)
        {
            Assert.True(queue.TryTake(out HandshakeQueue.Turn turn));
            bool isAttacker = turn.Network.Equals(s_attacker);
            expensive += isAttacker ? 1 : 0;
            queue.Done(turn, isAttacker ? Expensive : Cheap);
        }

        Assert.Equal(1, expensive);
    }

    [Theory]
    [InlineData(2, 2)]
    [InlineData(3, 2)]
    [InlineData(20, 2)]
    public void TryTake_limits_concurrent_work_of_one_network(int queued, int running)
    {
        HandshakeQueue queue = new(maxRunning: 2);
        for (int index = 0; index < queued; index++)
        {
            queue.Add(new Work(), s_attacker, bytes: 0);
        }

        List<HandshakeQueue.Turn> turns = [];
        while (queue.TryTake(out HandshakeQueue.Turn turn))
        {
            turns.Add(turn);
        }

        Assert.Equal(running, turns.Count);
        queue.Add(new Work(), s_client, bytes: 0);
        Assert.True(queue.TryTake(out HandshakeQueue.Turn other));
        Assert.Equal(s_client, other.Network);
        queue.Done(turns[0], Cheap);
        Assert.Equal(queued > running, queue.TryTake(out _));
    }

    [Fact]
    public void TryTake_prefers_small_handshakes_within_network()
    {
        HandshakeQueue queue = new(maxRunning: 10);
        Work small = new();
        Work next = new();
        queue.Add(new Work(), s_attacker, bytes: 9_000);
        queue.Add(small, s_attacker, bytes: 1_500);
        queue.Add(next, s_attacker, bytes: 700);
        Assert.True(queue.TryTake(out HandshakeQueue.Turn first));
        Assert.True(queue.TryTake(out HandshakeQueue.Turn second));
        Assert.Same(small, first.Work);
        Assert.Same(next, second.Work);
    }

    [Fact]
    public void Done_removes_network_without_work()
    {
        HandshakeQueue queue = new(maxRunning: 1);
        queue.Add(new Work(), s_client, bytes: 0);
        Assert.True(queue.TryTake(out HandshakeQueue.Turn turn));
        queue.Done(turn, Cheap);
        Assert.Equal(0, queue.Networks);
        Assert.False(queue.TryTake(out _));
    }

    private sealed class Work : IThreadPoolWorkItem
    {
        public void Execute()
        {
            // The test does not run the work items.
        }
    }
}
