using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;
using Larder.Server.Near;

namespace Larder.Near.Tests.Machines;

/// <summary>The visited states of the streams' <see cref="NearQueue"/> objects, by number.</summary>
internal sealed class QueueMachine
{
    /// <summary>The bit that represents a clear in the result of <see cref="TakeAll"/>.</summary>
    public const int Clear = 4;

    private const ulong AddCall = 1;
    private const ulong ClearCall = 2;
    private const ulong TakeCall = 3;

    private readonly Scenario _scenario;
    private readonly Safeguard _removed;
    private readonly Recorded<NearQueue> _recorded;

    public QueueMachine(Scenario scenario, Safeguard removed)
    {
        _scenario = scenario;
        _removed = removed;
        _recorded = new Recorded<NearQueue>(Begin, Call, Describe);
    }

    public ushort Start() => (ushort)_recorded.Start();

    public void Add(ref ushort state, int key) => Call(ref state, AddCall | ((ulong)_scenario.TicketOf(key) << 8));

    public void AddClear(ref ushort state) => Call(ref state, ClearCall);

    /// <summary>
    /// Takes everything from the queue. Returns a bit mask with one bit for each ticket, and with the bit <see cref="Clear"/> if the queue contained a clear.
    /// </summary>
    public int TakeAll(ref ushort state) => (int)Call(ref state, TakeCall);

    private long Call(ref ushort state, ulong call)
    {
        (int after, long answer) = _recorded.Call(state, call);
        state = (ushort)after;
        return answer;
    }

    // If the scenario tests an overflow, the queue starts almost full: it contains tickets of other keys, one less than its limit.
    private NearQueue Begin()
    {
        NearQueue queue = new();
        for (int i = 0; _scenario.Overflows && i < NearQueue.MaxTickets - 1; i++)
        {
            queue.Add(ForeignTicket);
        }

        return queue;
    }

    private uint ForeignTicket => _scenario.AllTickets.Max() + 1;

    private long Call(NearQueue queue, ulong call)
    {
        switch (call & 0xFF)
        {
            case AddCall:
                if (_removed != Safeguard.ClearOfOverflow || queue.Count < NearQueue.MaxTickets)
                {
                    queue.Add((byte)(call >> 8));
                }

                return 0;
            case ClearCall:
                queue.Clear();
                return 0;
            default:
                return TakeAll(queue);
        }
    }

    private int TakeAll(NearQueue queue)
    {
        int taken = queue.TakeClear() ? Clear : 0;
        uint[] tickets = new uint[queue.Count];
        queue.Take(tickets);
        return taken | _scenario.MaskOf(tickets);
    }

    private string Describe(NearQueue queue)
    {
        int room = _scenario.Overflows ? NearQueue.MaxTickets - queue.Count : 0;
        return $"{room} {TakeAll(queue)}";
    }
}
