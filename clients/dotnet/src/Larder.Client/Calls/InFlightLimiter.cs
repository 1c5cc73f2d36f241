namespace Larder.Client;

/// <summary>
/// Limits the requests in flight of a client over all its channels. A call gets a permit or waits in a bounded FIFO queue. If the queue is full, the call is
/// rejected. A waiting call may leave the queue at any time. A returned permit goes to the first waiter.
/// <para>
/// Design: one 64-bit field contains two counts. The upper half is the number of waiting calls, and the lower half is the number of calls in flight. While no
/// call waits, getting a permit takes one compare-and-swap, and so does returning it. Neither allocates memory. A thread that finds or adds a waiter takes the
/// lock. The queue and the waiting count change together under the lock. A call can take a permit without the lock only if the waiting count is zero, so no
/// call can overtake the queue.
/// </para>
/// </summary>
internal sealed class InFlightLimiter
{
    private const long OneWaiting = 1L << 32;

    private readonly Lock _lock = new();
    private readonly int _queueLimit;
    private int _limit;
    private long _counts;
    private LimiterWaiter? _head;
    private LimiterWaiter? _tail;

    /// <param name="limit">The maximum number of requests in flight, at least 1. <see cref="int.MaxValue"/> means unlimited.</param>
    /// <param name="queueLimit">The maximum number of waiting calls, at least 0.</param>
    public InFlightLimiter(int limit, int queueLimit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(queueLimit);
        _limit = limit;
        _queueLimit = queueLimit;
    }

    public int Limit => Volatile.Read(ref _limit);

    public int InFlight => InFlightOf(Volatile.Read(ref _counts));

    public int Waiting => WaitingOf(Volatile.Read(ref _counts));

    /// <summary>
    /// Requests a permit. If the result is <see cref="Admission.Queued"/>, the limiter later calls the waiter's TryGrant, unless the waiter has left the queue
    /// with <see cref="TryLeave"/>.
    /// </summary>
    public Admission Enter(LimiterWaiter waiter)
    {
        long counts = Volatile.Read(ref _counts);
        while (WaitingOf(counts) == 0 && InFlightOf(counts) < _limit)
        {
            long seen = Interlocked.CompareExchange(ref _counts, counts + 1, counts);
            if (seen == counts)
            {
                return Admission.Granted;
            }

            counts = seen;
        }

        return EnterQueue(waiter);
    }

    /// <summary>Releases a permit. If calls are waiting, the first of them gets the permit.</summary>
    public void Exit()
    {
        long counts = Volatile.Read(ref _counts);
        while (WaitingOf(counts) == 0)
        {
            long seen = Interlocked.CompareExchange(ref _counts, counts - 1, counts);
            if (seen == counts)
            {
                return;
            }

            counts = seen;
        }

        HandOver();
    }

    /// <summary>Removes a waiter from the queue. Returns false if the waiter has been granted a permit, or is about to be granted one.</summary>
    public bool TryLeave(LimiterWaiter waiter)
    {
        lock (_lock)
        {
            if (!waiter.IsWaiting)
            {
                return false;
            }

            Unlink(waiter);
            Interlocked.Add(ref _counts, -OneWaiting);
            return true;
        }
    }

    /// <summary>Changes the limit. A higher limit grants permits immediately. A lower limit takes effect as calls end.</summary>
    public void ChangeLimit(int limit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        Volatile.Write(ref _limit, limit);
        while (TryPromote(out LimiterWaiter? waiter, out long version))
        {
            if (!waiter!.TryGrant(version))
            {
                Exit();
            }
        }
    }

    /// <summary>Checks the invariants and throws if one is violated.</summary>
    public void AssertValid()
    {
        lock (_lock)
        {
            int linked = 0;
            LimiterWaiter? previous = null;
            for (LimiterWaiter? waiter = _head; waiter is not null; waiter = waiter.NextWaiter)
            {
                Require(waiter.IsWaiting, "a waiter in the queue is not marked as waiting");
                Require(waiter.PreviousWaiter == previous, "the links of the queue are inconsistent");
                previous = waiter;
                linked++;
            }

            long counts = Volatile.Read(ref _counts);
            Require(previous == _tail, "the tail is not the last waiter");
            Require(linked == WaitingOf(counts), $"the queue contains {linked} waiters, but the counter is {WaitingOf(counts)}");
            Require(InFlightOf(counts) >= 0, "more permits were returned than granted");
            Require(linked <= _queueLimit, "the queue is longer than its limit");
        }
    }

    private Admission EnterQueue(LimiterWaiter waiter)
    {
        lock (_lock)
        {
            while (true)
            {
                long counts = Volatile.Read(ref _counts);
                bool fits = WaitingOf(counts) == 0 && InFlightOf(counts) < _limit;
                if (!fits && WaitingOf(counts) >= _queueLimit)
                {
                    return Admission.Refused;
                }

                if (Interlocked.CompareExchange(ref _counts, fits ? counts + 1 : counts + OneWaiting, counts) != counts)
                {
                    continue;
                }

                if (!fits)
                {
                    Link(waiter);
                }

                return fits ? Admission.Granted : Admission.Queued;
            }
        }
    }

    private void HandOver()
    {
        while (TryPopOrRelease(out LimiterWaiter? waiter, out long version))
        {
            if (waiter!.TryGrant(version))
            {
                return;
            }
        }
    }

    // Passes a returned permit to the first waiter and returns true. If the limit was lowered or the queue is empty, releases the permit and returns false.
    private bool TryPopOrRelease(out LimiterWaiter? waiter, out long version)
    {
        lock (_lock)
        {
            waiter = null;
            version = 0;
            if (_head is null || InFlight > _limit)
            {
                Interlocked.Decrement(ref _counts);
                return false;
            }

            waiter = PopHead(out version);
            Interlocked.Add(ref _counts, -OneWaiting);
            return true;
        }
    }

    private bool TryPromote(out LimiterWaiter? waiter, out long version)
    {
        lock (_lock)
        {
            waiter = null;
            version = 0;
            if (_head is null || InFlight >= _limit)
            {
                return false;
            }

            waiter = PopHead(out version);
            Interlocked.Add(ref _counts, 1 - OneWaiting);
            return true;
        }
    }

    private LimiterWaiter PopHead(out long version)
    {
        LimiterWaiter head = _head!;
        version = head.WaiterVersion;
        Unlink(head);
        return head;
    }

    private void Link(LimiterWaiter waiter)
    {
        waiter.IsWaiting = true;
        waiter.NextWaiter = null;
        waiter.PreviousWaiter = _tail;
        if (_tail is null)
        {
            _head = waiter;
        }
        else
        {
            _tail.NextWaiter = waiter;
        }

        _tail = waiter;
    }

    private void Unlink(LimiterWaiter waiter)
    {
        if (waiter.PreviousWaiter is null)
        {
            _head = waiter.NextWaiter;
        }
        else
        {
            waiter.PreviousWaiter.NextWaiter = waiter.NextWaiter;
        }

        if (waiter.NextWaiter is null)
        {
            _tail = waiter.PreviousWaiter;
        }
        else
        {
            waiter.NextWaiter.PreviousWaiter = waiter.PreviousWaiter;
        }

        waiter.NextWaiter = null;
        waiter.PreviousWaiter = null;
        waiter.IsWaiting = false;
    }

    private static int InFlightOf(long counts) => (int)counts;

    private static int WaitingOf(long counts) => (int)(counts >> 32);

    private static void Require(bool holds, string broken)
    {
        if (!holds)
        {
            throw new InvalidOperationException($"InFlightLimiter: {broken}.");
        }
    }
}
