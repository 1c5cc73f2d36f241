namespace Larder.Wire;

/// <summary>
/// Runs long work on worker threads, so that it does not block the threads that read from sockets. The workers use half of the processors. The other half stays
/// free for short calls.
/// <para>
/// The time is divided equally between groups, and within a group equally between connections. There is one group per token. A connection without a token is
/// its own group. The connection that has used the least time runs next. Work that takes longer than a slice yields between its steps
/// (<see cref="WorkThread.Yield"/>), so short work never waits for another client's long call to end.
/// </para>
/// </summary>
internal sealed class WorkScheduler
{
    /// <summary>The maximum number of started items per connection. With 4, a short item need not wait for three long items of the same connection.</summary>
    public const int MaxStartedPerShare = 4;

    /// <summary>The maximum number of started items per group. Each item occupies a thread while it waits for its turn.</summary>
    public const int MaxStartedPerGroup = 8;

    /// <summary>
    /// The maximum number of started items of all groups. It is eight times the limit of one group. Each started item has its own thread, whose stack takes
    /// about 100 KB.
    /// </summary>
    public const int MaxStarted = 64;

    private readonly Lock _lock = new();
    private readonly int _slots;
    private readonly long _sliceTicks;
    private readonly TimeProvider _time;
    private readonly List<WorkGroup> _active = [];
    private readonly Stack<WorkThread> _idle = new();
    private long _floor;
    private int _running;
    private int _started;

    /// <summary>Creates a scheduler without threads.</summary>
    /// <param name="slots">The number of items that run at the same time.</param>
    /// <param name="slice">The time that an item runs before it yields to other items.</param>
    /// <param name="time">The clock.</param>
    public WorkScheduler(int slots, TimeSpan slice, TimeProvider time)
    {
        _slots = slots;
        _time = time;
        _sliceTicks = (long)(slice.TotalSeconds * time.TimestampFrequency);
    }

    /// <summary>Gets the scheduler of this process.</summary>
    public static WorkScheduler Shared { get; } = new(Math.Max(1, Environment.ProcessorCount / 2), Slice, TimeProvider.System);

    /// <summary>Gets the length of a slice. It is 1 ms. The store performs about twenty steps in this time. Thread switches add about 1 %.</summary>
    public static TimeSpan Slice => TimeSpan.FromMilliseconds(1);

    /// <summary>Gets the time for which a thread stays idle before it ends. The default is 30 s.</summary>
    public TimeSpan IdleTime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the number of threads that wait for work.</summary>
    public int IdleThreads
    {
        get
        {
            lock (_lock)
            {
                return _idle.Count;
            }
        }
    }

    /// <summary>Gets the number of items that have started but not ended.</summary>
    public int Started
    {
        get
        {
            lock (_lock)
            {
                return _started;
            }
        }
    }

    /// <summary>Queues a work item of a connection.</summary>
    public void Add(WorkShare share, IWorkItem item)
    {
        lock (_lock)
        {
            share.Waiting.Enqueue(item);
            Activate(share);
            Dispatch();
        }
    }

    /// <summary>Queues short work of a connection. It runs before the connection's long work.</summary>
    public void Continue(WorkShare share, IWorkItem item)
    {
        lock (_lock)
        {
            share.Continuations.Enqueue(item);
            Activate(share);
            Dispatch();
        }
    }

    /// <summary>Moves a connection to another group. Does nothing while the connection has work, because work cannot move to another group.</summary>
    public void Join(WorkShare share, WorkGroup group)
    {
        if (ReferenceEquals(share.Group, group))
        {
            return;
        }

        lock (_lock)
        {
            if (!share.HasWork && share.Started == 0)
            {
                share.Group = group;
                share.Used = group.Floor;
            }
        }
    }

    /// <summary>Puts a running item back in the queue if its slice is over. Returns false if the item keeps its slot.</summary>
    internal bool Requeue(WorkThread thread)
    {
        if (_time.GetTimestamp() - thread.SlotStart < _sliceTicks)
        {
            return false;
        }

        lock (_lock)
        {
            ReturnSlot(thread);
            thread.Share.Paused.Enqueue(thread);
            Activate(thread.Share);
            Dispatch();
        }

        return true;
    }

    /// <summary>Releases the slot of a running item that is about to sleep.</summary>
    internal void Pause(WorkThread thread)
    {
        lock (_lock)
        {
            ReturnSlot(thread);
            Dispatch();
        }
    }

    /// <summary>Puts an item that has slept back in the queue.</summary>
    internal void Resume(WorkThread thread)
    {
        lock (_lock)
        {
            thread.Share.Paused.Enqueue(thread);
            Activate(thread.Share);
            Dispatch();
        }
    }

    /// <summary>Ends the thread's item, so that the thread can run the next one.</summary>
    internal void Finish(WorkThread thread)
    {
        lock (_lock)
        {
            ReturnSlot(thread);
            thread.Item = null;
            thread.Share.Started--;
            thread.Group.Started--;
            _started--;
            _idle.Push(thread);
            Dispatch();
        }
    }

    /// <summary>Removes an idle thread. Returns false if the thread was given an item before this call.</summary>
    internal bool TryRetire(WorkThread thread)
    {
        lock (_lock)
        {
            if (thread.Item is not null)
            {
                return false;
            }

            WorkThread[] others = [.. _idle.Where(other => other != thread).Reverse()];
            _idle.Clear();
            foreach (WorkThread other in others)
            {
                _idle.Push(other);
            }

            return true;
        }
    }

    // The caller of each method below must hold the lock.
    private void ReturnSlot(WorkThread thread)
    {
        // One slice was charged in advance, so only the difference is added.
        long more = _time.GetTimestamp() - thread.SlotStart - _sliceTicks;
        thread.Share.Used += more;
        thread.Group.Used += more;
        _running--;
    }

    private void Activate(WorkShare share)
    {
        WorkGroup group = share.Group;
        if (!share.IsActive)
        {
            share.IsActive = true;
            share.Used = Math.Max(share.Used, group.Floor);
            group.Active.Add(share);
        }

        if (!group.IsActive)
        {
            group.IsActive = true;
            group.Used = Math.Max(group.Used, _floor);
            _active.Add(group);
        }
    }

    private void Dispatch()
    {
        while (_running < _slots && Next() is { } share)
        {
            WorkThread thread = share.Continuations.Count == 0 && share.Paused.TryDequeue(out WorkThread? paused) ? paused : Begin(share);
            WorkGroup group = share.Group;
            _floor = Math.Max(_floor, group.Used);
            group.Floor = Math.Max(group.Floor, share.Used);
            group.Used += _sliceTicks;
            share.Used += _sliceTicks;
            thread.SlotStart = _time.GetTimestamp();
            _running++;
            Deactivate(share, group);
            thread.Signal();
        }
    }

    private void Deactivate(WorkShare share, WorkGroup group)
    {
        if (!share.HasWork)
        {
            share.IsActive = false;
            group.Active.Remove(share);
            if (group.Active.Count == 0)
            {
                group.IsActive = false;
                _active.Remove(group);
            }
        }
    }

    private WorkThread Begin(WorkShare share)
    {
        bool isNew = !_idle.TryPop(out WorkThread? thread);
        thread ??= new WorkThread(this);
        thread.Item = share.Continuations.TryDequeue(out IWorkItem? next) ? next : share.Waiting.Dequeue();
        thread.Share = share;
        thread.Group = share.Group;
        share.Started++;
        share.Group.Started++;
        _started++;
        if (isNew)
        {
            thread.Start();
        }

        return thread;
    }

    // Returns the connection that runs next. First, selects the group with the least used time among the groups that may run another item. Then selects, in
    // this group, the connection with the least used time among the connections that may run another item.
    private WorkShare? Next()
    {
        WorkShare? best = null;
        foreach (WorkGroup group in _active)
        {
            if (best is not null && group.Used >= best.Group.Used)
            {
                continue;
            }

            WorkShare? next = null;
            foreach (WorkShare share in group.Active)
            {
                if (MayRun(share) && (next is null || share.Used < next.Used))
                {
                    next = share;
                }
            }

            best = next ?? best;
        }

        return best;
    }

    private bool MayRun(WorkShare share) =>
        share.Continuations.Count > 0
        || share.Paused.Count > 0
        || (share.Started < MaxStartedPerShare && share.Group.Started < MaxStartedPerGroup && _started < MaxStarted);
}
