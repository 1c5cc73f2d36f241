using Larder.Near.Tests.Worlds;
using Larder.Server.Near;
using Larder.Store;

namespace Larder.Near.Tests.Machines;

/// <summary>The visited states of the servers' <see cref="NearSlots"/> objects, by number.</summary>
internal sealed class SlotsMachine
{
    private const ulong NoteCall = 1;
    private const ulong TakeCall = 2;
    private const ulong ForgetCall = 3;
    private const int MaxStreams = 8;

    // An instance takes 8 MiB. So each thread has only one instance, which is emptied before each use.
    [ThreadStatic]
    private static NearSlots? t_slots;

    private static readonly NearBlocks s_all = AllBlocks();

    private readonly Scenario _scenario;
    private readonly Recorded<NearSlots> _recorded;

    public SlotsMachine(Scenario scenario)
    {
        _scenario = scenario;
        _recorded = new Recorded<NearSlots>(Empty, Call, Describe);
    }

    public ushort Start() => (ushort)_recorded.Start();

    /// <summary>Records that a stream must be notified of a key's next change.</summary>
    public void Note(ref ushort state, int key, int number) => Call(ref state, NoteCall | ((ulong)_scenario.TicketOf(key) << 8) | ((ulong)number << 16));

    /// <summary>Returns whether any stream must be notified of a key's next change.</summary>
    public bool HasAny(ushort state, int key)
    {
        ushort after = state;
        return Take(ref after, key) != 0;
    }

    /// <summary>Moves the streams that must be notified of a key's change to the log, and takes them from it. Returns one bit for each stream number.</summary>
    public byte Take(ref ushort state, int key) => (byte)Call(ref state, TakeCall | ((ulong)_scenario.TicketOf(key) << 8));

    /// <summary>Removes all records of a stream number.</summary>
    public void Forget(ref ushort state, int number) => Call(ref state, ForgetCall | ((ulong)number << 16));

    private long Call(ref ushort state, ulong call)
    {
        (int after, long answer) = _recorded.Call(state, call);
        state = (ushort)after;
        return answer;
    }

    private static NearBlocks AllBlocks()
    {
        NearBlocks all = new();
        for (uint ticket = 0; ticket < KeyTicket.Count; ticket += NearBlocks.Tickets)
        {
            all.Add(ticket);
        }

        return all;
    }

    private NearSlots Empty()
    {
        NearSlots slots = t_slots ??= new NearSlots(MaxStreams);
        foreach (uint ticket in _scenario.AllTickets)
        {
            Take(slots, ticket);
        }

        return slots;
    }

    private static long Call(NearSlots slots, ulong call)
    {
        uint ticket = (byte)(call >> 8);
        int number = (byte)(call >> 16);
        switch (call & 0xFF)
        {
            case NoteCall:
                slots.Note(ticket, number);
                return 0;
            case TakeCall:
                return slots.HasAny(ticket) ? Take(slots, ticket) : 0;
            default:
                slots.Forget(number, s_all);
                return 0;
        }
    }

    private static byte Take(NearSlots slots, uint ticket)
    {
        slots.Log(ticket);
        List<NearChange> changes = [];
        slots.TakeLogged(changes, new int[MaxStreams]);
        byte streams = 0;
        foreach (NearChange change in changes)
        {
            ushort[] numbers = new ushort[change.Count];
            change.CopyTo(numbers);
            Array.ForEach(numbers, number => streams |= (byte)(1 << number));
        }

        return streams;
    }

    private string Describe(NearSlots slots) => string.Join(' ', _scenario.AllTickets.Select(ticket => Take(slots, ticket)));
}
