using System.Runtime.InteropServices;

namespace Larder.Server.Near;

/// <summary>
/// Delivers logged changes to the queues of the near streams, and wakes these streams. Writers only add to the log. One work item of the thread pool delivers
/// what several writers have logged. Thread-safe.
/// </summary>
/// <remarks>
/// A stream must not send a result while a change that was logged earlier is missing from its queue. It therefore calls <see cref="Settle"/> before each
/// message. If a delivery fails, all streams are cleared, so no change is lost.
/// </remarks>
/// <param name="slots">The logged changes of keys.</param>
/// <param name="readers">The logged flushes of caches.</param>
/// <param name="streams">The open streams by their numbers.</param>
internal sealed class NearDelivery(NearSlots slots, NearReaders readers, NearStream?[] streams) : IThreadPoolWorkItem
{
    // The number of notifications that are sorted by streams at a time.
    private const int SortedAtOnce = 16_384;

    // The number of streams that are woken before other work of the thread pool gets its turn. To send a message takes about 5 µs.
    private const int WokenAtOnce = 64;

    // After at least 100 streams were woken, the next ones are woken after a pause of 1 to 10 ms, so that a message contains several changes.
    private const int MicrosecondsPerWoken = 10;
    private const int MaxPauseMs = 10;

    private readonly Lock _gate = new();

    // The gate protects these fields.
    private readonly List<NearChange> _changes = [];
    private readonly int[] _counts = new int[streams.Length];
    private readonly List<ushort> _touched = [];
    private ushort[] _numbers = [];
    private uint[] _tickets = [];
    private uint[] _sorted = [];
    private int _count;
    private readonly int[] _counted = new int[streams.Length];
    private List<NearStream> _woken = [];
    private volatile bool _isDelivering;
    private volatile bool _hasWoken;

    // Only the scheduled work item uses these fields.
    private List<NearStream> _waking = [];
    private int _wakingAt;

    private int _isScheduled;

    /// <summary>Schedules the delivery of what was logged before this call.</summary>
    public void Schedule()
    {
        if (Volatile.Read(ref _isScheduled) == 0 && Interlocked.Exchange(ref _isScheduled, 1) == 0)
        {
            try
            {
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            }
            catch (OutOfMemoryException)
            {
                // The next change schedules the delivery. Until then, each stream delivers the changes before its messages.
                Interlocked.Exchange(ref _isScheduled, 0);
            }
        }
    }

    /// <summary>
    /// Delivers all changes that were logged before this call to the queues of the streams. If another thread is delivering them, waits for that thread.
    /// </summary>
    public void Settle()
    {
        if (slots.HasLogged || readers.HasLogged || _isDelivering)
        {
            lock (_gate)
            {
                Deliver();
            }
        }
    }

    /// <summary>Delivers the logged changes and wakes the next streams.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        try
        {
            DeliverAndWake();
        }
#pragma warning disable CA1031 // If the exception escaped, the process would end. A stream that was not woken sends the notifications with its next message.
        catch (Exception)
#pragma warning restore CA1031
        {
            Finish();
        }
    }

    private void DeliverAndWake()
    {
        if (_wakingAt == _waking.Count)
        {
            lock (_gate)
            {
                Deliver();
                _waking.Clear();
                (_waking, _woken) = (_woken, _waking);
                _hasWoken = false;
                _wakingAt = 0;
            }
        }

        int end = Math.Min(_wakingAt + WokenAtOnce, _waking.Count);
        while (_wakingAt < end)
        {
            _waking[_wakingAt++].Wake();
        }

        if (_wakingAt < _waking.Count)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            return;
        }

        // The list must not keep streams that have ended alive.
        int pauseMs = Math.Min(_waking.Count * MicrosecondsPerWoken / 1_000, MaxPauseMs);
        _waking.Clear();
        _wakingAt = 0;
        if (pauseMs > 0)
        {
            _ = ContinueAsync(pauseMs);
        }
        else
        {
            Finish();
        }
    }

    private async Task ContinueAsync(int pauseMs)
    {
        try
        {
            await Task.Delay(pauseMs).ConfigureAwait(false);
        }
        catch (OutOfMemoryException)
        {
            // There is no memory for the timer, so the delivery continues without a pause.
        }

        ((IThreadPoolWorkItem)this).Execute();
    }

    // A writer first logs a change and then checks whether a delivery is scheduled. This method does both in the opposite order, with a fence in between, so at
    // least one of the two threads schedules the delivery.
    private void Finish()
    {
        bool isWaking = _wakingAt < _waking.Count;
        Interlocked.Exchange(ref _isScheduled, 0);
        if (isWaking || slots.HasLogged || readers.HasLogged || _isDelivering || _hasWoken)
        {
            Schedule();
        }
    }

    // The caller must hold the gate. _isDelivering is set before a change is taken from the log and reset after it is in the queues, so Settle sees the change
    // in the log or a delivery in progress.
    private void Deliver()
    {
        _isDelivering = true;
        try
        {
            (long Cache, HashSet<NearStream> Streams)[] flushes = readers.TakeLogged(out NearLoss lossOfFlushes);
            foreach ((long cache, HashSet<NearStream> cleared) in flushes)
            {
                foreach (NearStream stream in cleared)
                {
                    Wake(stream, stream.Clear(cache, readers));
                }
            }

            NearLoss loss = slots.TakeLogged(_changes, _counted);
            foreach (NearChange change in CollectionsMarshal.AsSpan(_changes))
            {
                Add(change);
            }

            DeliverSorted();
            if (loss != NearLoss.None)
            {
                ClearCounted();
            }

            if (loss == NearLoss.All || lossOfFlushes == NearLoss.All)
            {
                ClearAll();
            }

            _changes.Clear();
            if (_changes.Capacity > SortedAtOnce)
            {
                _changes.Capacity = SortedAtOnce;
            }
        }
#pragma warning disable CA1031 // The changes may already be missing in the log. The streams are cleared instead, so the delivery is complete.
        catch (Exception)
#pragma warning restore CA1031
        {
            ClearAll();
        }
        finally
        {
            _isDelivering = false;
        }
    }

    private void ClearCounted()
    {
        for (int number = 0; number < _counted.Length; number++)
        {
            if (_counted[number] > 0 && Volatile.Read(ref streams[number]) is { } stream)
            {
                Wake(stream, stream.AddCleared(_counted[number]));
            }
        }

        Array.Clear(_counted);
    }

    // Discards everything that is being delivered, and clears all streams instead. Allocates no memory, except to wake streams.
    private void ClearAll()
    {
        _changes.Clear();
        _touched.Clear();
        _count = 0;
        Array.Clear(_counts);
        Array.Clear(_counted);
        for (int number = 0; number < streams.Length; number++)
        {
            Volatile.Read(ref streams[number])?.Reset(readers);
        }

        foreach (NearStream? stream in streams)
        {
            try
            {
                stream?.Wake();
            }
#pragma warning disable CA1031 // The stream sends its notifications with its next message.
            catch (Exception)
#pragma warning restore CA1031
            {
            }
        }
    }

    private void Add(in NearChange change)
    {
        int count = change.Count;
        if (_count + count > SortedAtOnce)
        {
            DeliverSorted();
        }

        if (_count + count > _numbers.Length)
        {
            int length = Math.Max(2 * _numbers.Length, Math.Max(_count + count, 256));
            Array.Resize(ref _numbers, length);
            Array.Resize(ref _tickets, length);
            _sorted = new uint[length];
        }

        Span<ushort> numbers = _numbers.AsSpan(_count, count);
        change.CopyTo(numbers);
        _tickets.AsSpan(_count, count).Fill(change.Ticket);
        _count += count;
        foreach (ushort number in numbers)
        {
            if (_counts[number]++ == 0)
            {
                _touched.Add(number);
            }
        }
    }

    // Sorts the notifications by streams, so that each stream's queue is locked once.
    private void DeliverSorted()
    {
        int start = 0;
        foreach (ushort number in CollectionsMarshal.AsSpan(_touched))
        {
            start += _counts[number];
            _counts[number] = start;
        }

        for (int i = _count - 1; i >= 0; i--)
        {
            _sorted[--_counts[_numbers[i]]] = _tickets[i];
        }

        for (int i = 0; i < _touched.Count; i++)
        {
            int from = _counts[_touched[i]];
            int to = i + 1 < _touched.Count ? _counts[_touched[i + 1]] : _count;
            if (Volatile.Read(ref streams[_touched[i]]) is { } stream)
            {
                Wake(stream, stream.Add(_sorted.AsSpan(from..to)));
            }
        }

        foreach (ushort number in CollectionsMarshal.AsSpan(_touched))
        {
            _counts[number] = 0;
        }

        _touched.Clear();
        _count = 0;
    }

    private void Wake(NearStream stream, bool wasEmpty)
    {
        if (wasEmpty)
        {
            _woken.Add(stream);
            _hasWoken = true;
        }
    }
}
