namespace Larder.Server.Near;

/// <summary>
/// What one near stream is still to be told: tickets, at most 65,536, or that everything is to be dropped, which says it all (NEAR-5). For one thread at a
/// time.
/// </summary>
internal sealed class NearQueue
{
    /// <summary>Tickets that wait at most; one more is a clear in their place.</summary>
    public const int MaxTickets = 65_536;

    private const int LeastRoom = 16;

    // What an empty queue keeps.
    private const int KeptRoom = 4_096;

    private uint[] _tickets = [];
    private int _count;

    /// <summary>Whether a clear waits. What changes meanwhile is told by it.</summary>
    public bool IsClear { get; private set; }

    /// <summary>Tickets that wait.</summary>
    public int Count => _count;

    /// <summary>Whether nothing waits.</summary>
    public bool IsEmpty => _count == 0 && !IsClear;

    /// <summary>A ticket is to be told.</summary>
    public void Add(uint ticket)
    {
        if (IsClear)
        {
            return;
        }

        if (_count == MaxTickets)
        {
            Clear();
            return;
        }

        if (_count == _tickets.Length)
        {
            Array.Resize(ref _tickets, Math.Max(LeastRoom, 2 * _count));
        }

        _tickets[_count++] = ticket;
    }

    /// <summary>Everything is to be dropped.</summary>
    public void Clear()
    {
        IsClear = true;
        _count = 0;
        _tickets = [];
    }

    /// <summary>Takes a clear that waits.</summary>
    public bool TakeClear()
    {
        bool isClear = IsClear;
        IsClear = false;
        return isClear;
    }

    /// <summary>Takes the newest tickets, as many as <paramref name="into"/> holds. Returns how many.</summary>
    public int Take(Span<uint> into)
    {
        int taken = Math.Min(_count, into.Length);
        _tickets.AsSpan(_count - taken, taken).CopyTo(into);
        _count -= taken;
        if (_count == 0 && _tickets.Length > KeptRoom)
        {
            _tickets = [];
        }

        return taken;
    }
}
