namespace Larder.Server.Near;

/// <summary>
/// The pending notifications of a near stream: at most 65,536 tickets, or a single clear, which replaces all of them (NEAR-5). Not thread-safe.
/// </summary>
internal sealed class NearQueue
{
    /// <summary>The maximum number of pending tickets. If one more ticket is added, a clear replaces all of them.</summary>
    public const int MaxTickets = 65_536;

    private const int MinRoom = 16;

    // The capacity of an empty queue.
    private const int RetainedCapacity = 4_096;

    private uint[] _tickets = [];
    private int _count;

    /// <summary>Gets whether a clear is pending. Until the clear is sent, it also covers all later changes.</summary>
    public bool IsClear { get; private set; }

    /// <summary>Gets the number of pending tickets.</summary>
    public int Count => _count;

    /// <summary>Gets whether no notification is pending.</summary>
    public bool IsEmpty => _count == 0 && !IsClear;

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
            Array.Resize(ref _tickets, Math.Max(MinRoom, 2 * _count));
        }

        _tickets[_count++] = ticket;
    }

    public void Add(ReadOnlySpan<uint> tickets)
    {
        foreach (uint ticket in tickets)
        {
            Add(ticket);
        }
    }

    /// <summary>Replaces all pending tickets with a clear.</summary>
    public void Clear()
    {
        IsClear = true;
        _count = 0;
        _tickets = [];
    }

    /// <summary>Removes a pending clear. Returns whether a clear was pending.</summary>
    public bool TakeClear()
    {
        bool isClear = IsClear;
        IsClear = false;
        return isClear;
    }

    /// <summary>Removes the newest tickets and copies them to <paramref name="into"/>, as many as fit. Returns their number.</summary>
    public int Take(Span<uint> into)
    {
        int taken = Math.Min(_count, into.Length);
        _tickets.AsSpan(_count - taken, taken).CopyTo(into);
        _count -= taken;
        if (_count == 0 && _tickets.Length > RetainedCapacity)
        {
            _tickets = [];
        }

        return taken;
    }
}
