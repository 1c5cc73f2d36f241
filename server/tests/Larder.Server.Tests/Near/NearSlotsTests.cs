using Larder.Server.Near;
using Larder.Store;

namespace Larder.Server.Tests.Near;

public sealed class NearSlotsTests
{
    private const int Capacity = 5_000;

    private readonly NearSlots _slots = new(Capacity);

    // A word contains up to 4 streams, a list up to 255, and a bit set more.
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(8)]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(Capacity)]
    public void Logged_change_contains_each_registered_stream_once(int count)
    {
        int[] streams = [.. Enumerable.Range(0, count).Select(static i => Capacity - 1 - i)];
        Assert.All(streams, stream => Assert.True(_slots.Note(5, stream)));
        Assert.All(streams, stream => Assert.False(_slots.Note(5, stream)));
        Assert.True(_slots.HasAny(5));
        Assert.True(_slots.Log(5));
        Assert.False(_slots.HasAny(5));
        Assert.False(_slots.Log(5));
        Assert.True(_slots.HasLogged);
        Assert.Equal(streams.Order(), Logged()[5].Order());
        Assert.False(_slots.HasLogged);
        Assert.Empty(Logged());
    }

    [Fact]
    public void Log_takes_only_streams_of_its_own_slot()
    {
        _slots.Note(0, 127);
        _slots.Note(KeyTicket.Count - 1, 0);
        Assert.False(_slots.HasAny(1));
        Assert.False(_slots.HasAny(KeyTicket.Count - 2));
        Assert.True(_slots.Log(0) && _slots.Log(KeyTicket.Count - 1));
        Dictionary<uint, int[]> logged = Logged();
        Assert.Equal([127], logged[0]);
        Assert.Equal([0], logged[KeyTicket.Count - 1]);
    }

    [Fact]
    public void Full_log_of_stripe_counts_further_changes_by_stream()
    {
        int[] wide = [.. Enumerable.Range(0, 300)];
        for (int change = 0; change < NearSlots.MaxLogged + 5; change++)
        {
            foreach (int stream in change == NearSlots.MaxLogged + 2 ? wide : [7, 9])
            {
                _slots.Note(3, stream);
            }

            Assert.True(_slots.Log(3));
        }

        List<NearChange> changes = [];
        int[] counted = new int[Capacity];
        Assert.Equal(NearLoss.Counted, _slots.TakeLogged(changes, counted));
        Assert.Equal(NearSlots.MaxLogged, changes.Count);
        Assert.Equal((1, 5, 5, 1, 0), (counted[0], counted[7], counted[9], counted[299], counted[300]));
        Assert.False(_slots.HasLogged);

        // The log of the stripe contains changes again.
        _slots.Note(3, 7);
        Assert.True(_slots.Log(3));
        Assert.True(_slots.HasLogged);
        changes.Clear();
        Assert.Equal((NearLoss.None, 1), (_slots.TakeLogged(changes, counted), changes.Count));
    }

    [Fact]
    public void NEAR_9_set_shrinks_when_streams_leave()
    {
        NearSet set = NearSet.Of([0, 1, 2, 3]);
        for (int stream = 4; stream < Capacity; stream++)
        {
            set = set.With(stream, Capacity);
        }

        for (int stream = Capacity - 1; stream >= 4; stream--)
        {
            Assert.True(set.Remove(stream));
            set = set.Shrunk() ?? set;
            Assert.True(set.Cells.Length <= Math.Max(8, 4 * (set.Count + 1)) || set.Cells.Length <= 451);
            Assert.True(set.Contains(0) && set.Contains(stream - 1) && !set.Contains(stream));
            Assert.Equal(stream, set.Count);
        }

        Assert.InRange(set.Cells.Length, 5, 16);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(100)]
    [InlineData(1_000)]
    public void Forget_keeps_registrations_of_other_streams(int count)
    {
        NearBlocks noted = new();
        noted.Add(9);
        noted.Add(KeyTicket.Count - 1);
        for (int stream = 0; stream < count; stream++)
        {
            _slots.Note(9, stream);
        }

        _slots.Note(KeyTicket.Count - 1, 0);
        _slots.Forget(0, noted);
        _slots.Forget(count, noted);
        Assert.False(_slots.HasAny(KeyTicket.Count - 1));
        _slots.Log(9);
        Assert.Equal(Enumerable.Range(1, count - 1), Logged()[9].Order());
    }

    [Theory]
    [InlineData(3)]
    [InlineData(300)]
    [InlineData(3_000)]
    public void Slot_is_empty_after_each_stream_is_forgotten(int count)
    {
        for (int stream = 0; stream < count; stream++)
        {
            _slots.Note(9, stream);
        }

        List<uint> removed = [];
        for (int stream = 0; stream < count; stream++)
        {
            Assert.True(_slots.HasAny(9));
            _slots.Find(stream, 0, removed);
            Assert.Equal(1, _slots.Forget(stream, 0));
        }

        Assert.False(_slots.HasAny(9));
        Assert.Equal(count, removed.Count);
        Assert.True(_slots.Note(9, 7));
        _slots.Log(9);
        Assert.Equal([7], Logged()[9]);
    }

    [Fact]
    public void NearBlocks_lists_each_block_once_by_its_first_ticket()
    {
        NearBlocks noted = new();
        Assert.Empty(All(noted));
        foreach (uint ticket in (uint[])[0, 63, 64, 4_095, 4_096, KeyTicket.Count - 1, 5])
        {
            noted.Add(ticket);
        }

        uint[] all = [0, 64, 4_032, 4_096, KeyTicket.Count - NearBlocks.Tickets];
        Assert.Equal(all, All(noted));
        int position = 1;
        List<uint> taken = [];
        while (noted.TryTake(ref position, out uint first))
        {
            taken.Add(first);
        }

        Assert.Equal([4_096, .. all[4..], .. all[..3]], taken);
        Assert.Empty(All(noted));
    }

    private Dictionary<uint, int[]> Logged()
    {
        List<NearChange> changes = [];
        Assert.Equal(NearLoss.None, _slots.TakeLogged(changes, new int[Capacity]));
        return changes.ToDictionary(static change => change.Ticket, static change =>
        {
            ushort[] streams = new ushort[change.Count];
            change.CopyTo(streams);
            return Array.ConvertAll(streams, static stream => (int)stream);
        });
    }

    private static List<uint> All(NearBlocks blocks)
    {
        List<uint> all = [];
        foreach (uint first in blocks)
        {
            all.Add(first);
        }

        return all;
    }
}
