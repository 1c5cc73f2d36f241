using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Blocks for buffers of any size, of the whole process. Small ones are the shared pool's arrays. That pool would keep tens of megabytes of large ones, and arrays
/// that are made for once would be the collector's work: those are cut from slabs, and what nobody has asked for during some seconds is given to the system.
/// </summary>
internal static class LargeBlocks
{
    /// <summary>The largest block that is the shared pool's.</summary>
    public const int SmallBytes = Slab.PageBytes;

    // Three seconds: a large value now and then finds its pages.
    private const int QuietTrims = 6;

    // Longer ones are arrays of their own: nothing that a server takes in is.
    private const int MostBytes = Slab.Pages * Slab.PageBytes / 2;

    private static readonly Lock s_lock = new();
    private static readonly List<Slab> s_slabs = [];
    private static int s_rents;
    private static int s_rentsAtTrim;
    private static int s_quietTrims;

    // A process with a server has a clock that trims; in one without, a slab but the first is let go as soon as it is empty.
    private static bool s_isTrimmed;

    /// <summary>Bytes of slabs in blocks now.</summary>
    public static long Taken
    {
        get
        {
            lock (s_lock)
            {
                return s_slabs.Sum(static slab => (long)slab.TakenPages * Slab.PageBytes);
            }
        }
    }

    /// <summary>Slabs that there are now.</summary>
    public static int Slabs
    {
        get
        {
            lock (s_lock)
            {
                return s_slabs.Count;
            }
        }
    }

    /// <summary>The length of the block that <see cref="Rent"/> gives for a size.</summary>
    public static int LengthFor(int bytes) => bytes <= SmallBytes
        ? (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Max(bytes, 16))
        : checked((bytes + Slab.PageBytes - 1) / Slab.PageBytes * Slab.PageBytes);

    /// <summary>A block of <see cref="LengthFor"/> that size, with anything in it.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    public static ArraySegment<byte> Rent(int bytes)
    {
        if (bytes <= SmallBytes)
        {
            return ArrayPool<byte>.Shared.Rent(bytes);
        }

        int length = LengthFor(bytes);
        return length > MostBytes ? GC.AllocateUninitializedArray<byte>(length) : Take(length / Slab.PageBytes);
    }

    /// <summary>Makes a block longer without a copy, where there is room behind it.</summary>
    public static bool TryLengthen(ref ArraySegment<byte> block, int bytes)
    {
        if (block.Count <= SmallBytes || block.Count > MostBytes || bytes > MostBytes)
        {
            return false;
        }

        lock (s_lock)
        {
            return OwnerOf(block)!.TryLengthen(ref block, LengthFor(bytes) / Slab.PageBytes);
        }
    }

    /// <summary>Takes a block of <see cref="Rent"/> back; nobody else looks at it.</summary>
    public static void Return(ArraySegment<byte> block)
    {
        if (block.Count <= SmallBytes)
        {
            ArrayPool<byte>.Shared.Return(block.Array!);
        }
        else if (block.Count > MostBytes)
        {
            IdleMemory.Dropped(block.Count);
        }
        else
        {
            lock (s_lock)
            {
                Slab owner = OwnerOf(block)!;
                owner.Give(block);
                if (!s_isTrimmed && owner.TakenPages == 0 && owner != s_slabs[0])
                {
                    s_slabs.Remove(owner);
                    owner.GiveFreePages();
                }
            }
        }
    }

    /// <summary>Gives what is free to the system where nobody has asked for some. Called twice a second.</summary>
    public static void Trim()
    {
        lock (s_lock)
        {
            s_isTrimmed = true;
            s_quietTrims = s_rents == s_rentsAtTrim ? s_quietTrims + 1 : 0;
            s_rentsAtTrim = s_rents;
            if (s_quietTrims == QuietTrims)
            {
                // The first stays: its address alone costs nothing.
                s_slabs.RemoveAll(static slab => slab.TakenPages == 0 && slab != s_slabs[0] && IsGiven(slab));
                s_slabs.ForEach(static slab => slab.GiveFreePages());
            }
        }
    }

    // The pages first: the collector may be minutes away.
    private static bool IsGiven(Slab slab)
    {
        IdleMemory.Dropped(slab.GiveFreePages());
        return true;
    }

    private static ArraySegment<byte> Take(int pages)
    {
        lock (s_lock)
        {
            s_rents++;
            foreach (Slab slab in s_slabs)
            {
                if (slab.TryTake(pages, out ArraySegment<byte> block))
                {
                    return block;
                }
            }

            Slab next = new();
            s_slabs.Add(next);
            next.TryTake(pages, out ArraySegment<byte> first);
            return first;
        }
    }

    private static Slab? OwnerOf(ArraySegment<byte> block) => s_slabs.Find(slab => slab.Owns(block));
}
