using Larder.Server.Near;

namespace Larder.Server.Tests.Near;

public sealed class NearQueueTests
{
    private readonly NearQueue _queue = new();

    [Theory]
    [InlineData(NearQueue.MaxTickets, false)]
    [InlineData(NearQueue.MaxTickets + 1, true)]
    [InlineData(10 * NearQueue.MaxTickets, true)]
    public void NearQueue_replaces_tickets_over_the_limit_with_a_clear(int tickets, bool isClear)
    {
        for (int i = 0; i < tickets; i++)
        {
            _queue.Add((uint)i);
        }

        Assert.Equal(isClear, _queue.IsClear);
        Assert.Equal(isClear ? 0 : tickets, _queue.Count);
        Assert.Equal(isClear, _queue.TakeClear());
        Assert.Equal(isClear, _queue.IsEmpty);
    }

    [Fact]
    public void Take_returns_every_ticket_once_over_several_calls()
    {
        for (uint i = 0; i < 10_000; i++)
        {
            _queue.Add(i);
        }

        List<uint> taken = [];
        uint[] part = new uint[256];
        for (int count = part.Length; count == part.Length;)
        {
            count = _queue.Take(part);
            taken.AddRange(part[..count]);
        }

        Assert.Equal(Enumerable.Range(0, 10_000).Select(static i => (uint)i), taken.Order());
        Assert.True(_queue.IsEmpty);
    }

    [Fact]
    public void Tickets_added_while_a_clear_is_pending_are_dropped()
    {
        _queue.Add(1);
        _queue.Clear();
        _queue.Add(2);
        Assert.Equal(0, _queue.Count);
        Assert.True(_queue.TakeClear());
        Assert.False(_queue.TakeClear());
        _queue.Add(3);
        Assert.Equal(1, _queue.Count);
    }
}
