using Larder.Server.Pipeline;

namespace Larder.Server.Near;

/// <summary>
/// One near stream: what it is still to be told, and who sends it. Whoever has the stream's output sends what waits with what it sends itself; where nobody
/// has, <paramref name="signal"/> is to see to it. Safe from any thread.
/// </summary>
/// <param name="signal">Called where the queue was empty and is not any more; it may be on a writer's thread, and is to be short.</param>
internal sealed class NearStream(Action signal)
{
    // What one message carries of them: 48 KB at most.
    private const int TicketsOfMessage = 16_384;

    private readonly Lock _lock = new();
    private readonly NearQueue _queue = new();
    private readonly NearFigures _figures = new();

    /// <summary>Its number among the near streams, 0 to 127; -1: it has none.</summary>
    public int Number { get; set; } = -1;

    /// <summary>What it was told, and how often it asked.</summary>
    public NearFigures Figures => _figures;

    /// <summary>Whether something waits.</summary>
    public bool HasPending
    {
        get
        {
            lock (_lock)
            {
                return !_queue.IsEmpty;
            }
        }
    }

    /// <summary>A key of this ticket has changed.</summary>
    public void Tell(uint ticket)
    {
        bool wasEmpty;
        lock (_lock)
        {
            wasEmpty = _queue.IsEmpty;
            _queue.Add(ticket);
        }

        if (wasEmpty)
        {
            signal();
        }
    }

    /// <summary>Everything may have changed.</summary>
    public void Clear()
    {
        bool wasEmpty;
        lock (_lock)
        {
            wasEmpty = _queue.IsEmpty;
            _queue.Clear();
        }

        if (wasEmpty)
        {
            signal();
        }
    }

    /// <summary>Writes what waits into the message that is being made, as much as one message carries; whoever has the output. True: more waits.</summary>
    public bool WriteTo(ReplyBuffer message)
    {
        Span<uint> tickets = stackalloc uint[256];
        int left = TicketsOfMessage;
        while (left > 0)
        {
            bool isClear;
            int taken;
            lock (_lock)
            {
                isClear = _queue.TakeClear();
                taken = _queue.Take(tickets);
            }

            if (isClear)
            {
                message.WriteClear();
                _figures.Cleared();
            }

            if (taken > 0)
            {
                message.WriteInvalidated(tickets[..taken]);
                _figures.Told(taken);
            }

            if (taken < tickets.Length)
            {
                return false;
            }

            left -= taken;
        }

        return HasPending;
    }
}
