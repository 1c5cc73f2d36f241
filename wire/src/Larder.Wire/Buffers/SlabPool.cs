namespace Larder.Wire;

/// <summary>As many slabs as are needed. What nobody has asked for during some seconds is given to the system.</summary>
internal sealed class SlabPool
{
    // Three seconds: a large value now and then finds its pages.
    private const int QuietTrims = 6;

    private readonly Lock _lock = new();
    private readonly List<Slab> _slabs = [];
    private int _takes;
    private int _takesAtTrim;
    private int _quietTrims;

    // A process with a server has a clock that trims; in one without, a slab but the first is let go as soon as it is empty.
    private bool _isTrimmed;

    /// <summary>Slabs that there are now.</summary>
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

    /// <summary>Bytes in blocks now.</summary>
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

    /// <summary>A block of so many pages, at most <see cref="Slab.Pages"/>, with anything in it.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
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

    /// <summary>Makes a block longer without a copy, where there is room behind it.</summary>
    public bool TryLengthen(ref ArraySegment<byte> block, int pages)
    {
        lock (_lock)
        {
            return OwnerOf(block).TryLengthen(ref block, pages);
        }
    }

    /// <summary>Makes a block shorter: the pages behind its first ones are free.</summary>
    public void Shorten(ref ArraySegment<byte> block, int pages)
    {
        lock (_lock)
        {
            int kept = pages * Slab.PageBytes;
            OwnerOf(block).Give(block[kept..]);
            block = block[..kept];
        }
    }

    /// <summary>Takes a block back; nobody else looks at it.</summary>
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

    /// <summary>Gives what is free to the system where nobody has asked for some. Called twice a second.</summary>
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
                _slabs.ForEach(static slab => slab.GiveFreePages());
            }
        }
    }

    // The first stays: its address alone costs nothing.
    private bool IsSpare(Slab slab) => slab.TakenPages == 0 && slab != _slabs[0];

    // Its pages at once: the collector may be minutes away.
    private void LetGo(Slab slab)
    {
        _slabs.Remove(slab);
        IdleMemory.OfProcess.Dropped(slab.GiveFreePages());
    }

    private Slab OwnerOf(ArraySegment<byte> block) => _slabs.Find(slab => slab.Owns(block))!;
}
