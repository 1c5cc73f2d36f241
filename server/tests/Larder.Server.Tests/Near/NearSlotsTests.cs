using Larder.Server.Near;
using Larder.Store;

namespace Larder.Server.Tests.Near;

public sealed class NearSlotsTests
{
    private readonly NearSlots _slots = new();

    [Fact]
    public void Take_returns_each_registered_stream_once()
    {
        int[] streams = [0, 63, 64, 127];
        foreach (int stream in streams)
        {
            _slots.Note(5, stream);
            _slots.Note(5, stream);
        }

        Assert.True(_slots.HasAny(5));
        Assert.Equal(streams.Aggregate(UInt128.Zero, static (bits, stream) => bits | (UInt128.One << stream)), _slots.Take(5));
        Assert.False(_slots.HasAny(5));
        Assert.Equal(UInt128.Zero, _slots.Take(5));
    }

    [Fact]
    public void Take_returns_only_streams_of_its_own_slot()
    {
        _slots.Note(0, 127);
        _slots.Note(KeyTicket.Count - 1, 0);
        Assert.False(_slots.HasAny(1));
        Assert.False(_slots.HasAny(KeyTicket.Count - 2));
        Assert.Equal(UInt128.One << 127, _slots.Take(0));
        Assert.Equal(UInt128.One, _slots.Take(KeyTicket.Count - 1));
    }

    [Fact]
    public void Forget_keeps_registrations_of_other_streams()
    {
        NearBlocks noted = new();
        noted.Add(9);
        noted.Add(KeyTicket.Count - 1);
        for (int stream = 0; stream < NearSlots.MaxStreams; stream++)
        {
            _slots.Note(9, stream);
        }

        _slots.Note(KeyTicket.Count - 1, 70);
        _slots.Forget(3, noted);
        _slots.Forget(70, noted);
        Assert.Equal(~((UInt128.One << 3) | (UInt128.One << 70)), _slots.Take(9));
        Assert.False(_slots.HasAny(KeyTicket.Count - 1));
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

        Assert.Equal([0, 64, 4_032, 4_096, KeyTicket.Count - NearBlocks.Tickets], All(noted));
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
