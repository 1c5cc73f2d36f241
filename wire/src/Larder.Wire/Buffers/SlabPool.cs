namespace Larder.Wire;

/// <summary>A set of slabs that grows on demand. If no memory was requested for some seconds, free memory is returned to the system.</summary>
internal sealed class SlabPool
{
    // Free memory is returned to the system after this number of trims without an allocation. This delay of three seconds lets occasional large values reuse
    // the pages.
    private const int QuietTrims = 6;

    private readonly Lock _lock = new();
    private readonly List<Slab> _slabs = [];
    private int _takes;
    private int _takesAtTrim;
    private int _quietTrims;

    // True after the first call of Trim. A process with a server calls Trim on a timer. In a process without a server, each slab except the first is released
    // as soon as it is empty.
    private bool _isTrimmed;

    /// <summary>Gets the number of slabs.</summary>
    public int Slabs
    {
        get
        {
            lock (_lock)
            {
                return _slabs.Count;
            }
        }
    }

    /// <summary>Gets the number of bytes in use.</summary>
    public long TakenBytes
    {
        get
        {
            lock (_lock)
            {
                return _slabs.Sum(static slab => (long)slab.TakenPages * Slab.PageBytes);
            }
        }
    }

    /// <summary>Takes an uninitialized block of the given number of pages. The maximum number is <see cref="Slab.Pages"/>.</summary>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public ArraySegment<byte> Take(int pages)
    {
        lock (_lock)
        {
            _takes++;
            foreach (Slab slab in _slabs)
            {
                if (slab.TryTake(pages, out ArraySegment<byte> block))
                {
                    return block;
                }
            }

            Slab next = new();
            _slabs.Add(next);
            next.TryTake(pages, out ArraySegment<byte> first);
            return first;
        }
    }

    /// <summary>Extends a block without copying it. Returns false if the memory behind the block is not free.</summary>
    public bool TryLengthen(ref ArraySegment<byte> block, int pages)
    {
        lock (_lock)
        {
            return OwnerOf(block).TryLengthen(ref block, pages);
        }
    }

    /// <summary>Shortens a block to the given number of pages. The pages after them become free.</summary>
    public void Shorten(ref ArraySegment<byte> block, int pages)
    {
        lock (_lock)
        {
            int kept = pages * Slab.PageBytes;
            OwnerOf(block).Give(block[kept..]);
            block = block[..kept];
        }
    }

    /// <summary>Frees a block, which must no longer be referenced.</summary>
    public void Give(ArraySegment<byte> block)
    {
        lock (_lock)
        {
            Slab owner = OwnerOf(block);
            owner.Give(block);
            if (!_isTrimmed && IsSpare(owner))
            {
                LetGo(owner);
            }
        }
    }

    /// <summary>Returns free memory to the system if no memory was requested for some seconds. Call this method twice a second.</summary>
    public void Trim()
    {
        lock (_lock)
        {
            _isTrimmed = true;
            _quietTrims = _takes == _takesAtTrim ? _quietTrims + 1 : 0;
            _takesAtTrim = _takes;
            if (_quietTrims >= QuietTrims)
            {
                _slabs.FindAll(IsSpare).ForEach(LetGo);
                _slabs.ForEach(static slab => slab.ReleaseFreePages());
            }
        }
    }

    // The first slab is never removed. After its memory has been returned to the system, the remaining address range costs nothing.
    private bool IsSpare(Slab slab) => slab.TakenPages == 0 && slab != _slabs[0];

    // The pages are returned immediately, because the garbage collector may not run for minutes.
    private void LetGo(Slab slab)
    {
        _slabs.Remove(slab);
        IdleMemory.OfProcess.Dropped(slab.ReleaseFreePages());
    }

    private Slab OwnerOf(ArraySegment<byte> block) => _slabs.Find(slab => slab.Owns(block))!;
}
