using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Larder.Store;

/// <summary>
/// A fixed-size hash table in native memory. It consists of groups of 8 words; a group is one cache line. A word is a 32-bit hash and a 32-bit address. An
/// empty slot is 0. An entry is in its home group or, if this group was full, in the next group of its probe path that had space. The first three steps of a
/// path have a length that depends on the hash. Each later step moves to the adjacent group. Each full group counts the words whose path passed over the group.
/// The group has three counts: one for words whose first group it was, one for words whose second group it was, and one for all other words. A lookup continues
/// to the next group of the path only if the matching count is not 0. Words are written atomically and never moved, so readers need no lock. Therefore, entries
/// are not moved to earlier groups when slots are freed. After many additions and removals, the paths are longer than in a new table (ADR-0063: 3.5 groups for
/// a missing key at 87 % load).
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct IndexTable
{
    public const int SlotsPerGroup = 8;
    private const int HeaderBytes = 64;
    private const int GroupBytes = SlotsPerGroup * sizeof(ulong);

    // The number of steps whose length depends on the hash. Later steps move to the next group.
    private const uint HashedSteps = 3;

    // The bits of each of the three counts of a group. A count that reaches 31 keeps this value until the table is rebuilt. The largest count observed was 28,
    // at a load of 96 %.
    private const int CountBits = 5;
    private const int LastCount = 2;
    private const uint MaxCount = (1 << CountBits) - 1;

    // Mixes the bits that selected the home group with the other bits. The factor is 2^32 divided by the golden ratio.
    private const uint StepFactor = 0x9E3779B1;

    private static long s_serials;

    private uint _groups;
    private long _serial;

    /// <summary>
    /// The serial number of the table, which is unique in this process. It is needed because the memory of a table may be reused for another table. It is 0 for
    /// <see cref="Empty"/>.
    /// </summary>
    public readonly long Serial => _serial;

    public readonly uint Groups => _groups;

    public readonly uint Slots => _groups * SlotsPerGroup;

    /// <summary>An empty table that is never freed. Readers of a closed shard use this table.</summary>
    public static IndexTable* Empty { get; } = CreateEmpty();

    public static long BytesFor(uint groups) => HeaderBytes + ((long)groups * (GroupBytes + sizeof(ushort)));

    /// <summary>Creates an empty table. Returns null if the operating system refuses the memory.</summary>
    public static IndexTable* TryCreate(PageRegions pages, uint groups)
    {
        var table = (IndexTable*)pages.TryAllocate(BytesFor(groups));
        if (table != null)
        {
            table->_groups = groups;
            table->_serial = Interlocked.Increment(ref s_serials);
        }

        return table;
    }

    public static void Destroy(PageRegions pages, IndexTable* table) => BlockOf(table).Free(pages);

    /// <summary>Returns the memory block of a table.</summary>
    public static PageBlock BlockOf(IndexTable* table) => new((byte*)table, BytesFor(table->_groups));

    public static ulong Word(uint hash, uint address) => ((ulong)address << 32) | hash;

    public static uint HashOf(ulong word) => (uint)word;

    public static uint AddressOf(ulong word) => (uint)(word >> 32);

    public static ulong* GroupAt(IndexTable* table, uint group) => (ulong*)((byte*)table + HeaderBytes) + ((nuint)group * SlotsPerGroup);

    public static uint Home(IndexTable* table, uint hash) => (uint)(((ulong)hash * table->_groups) >> 32);

    /// <summary>Continues a lookup that did not find its word in the current group. Moves to the next group of the word's path.</summary>
    /// <param name="table">The table.</param>
    /// <param name="hash">The hash of the word.</param>
    /// <param name="group">The current group. Receives the next group.</param>
    /// <param name="step">The number of groups of the path before the current group. It is incremented.</param>
    /// <returns>False if the word cannot be in a later group of the path.</returns>
    public static bool TryNext(IndexTable* table, uint hash, ref uint group, ref uint step)
    {
        uint counts = Volatile.Read(ref *CountsAt(table, group));
        if ((counts & (MaxCount << ShiftOf(step))) == 0 || step > table->_groups + HashedSteps)
        {
            return false;
        }

        group = Next(table, hash, group, step++);
        return true;
    }

    /// <summary>Returns the slot that contains exactly this word. The word must exist.</summary>
    public static ulong* SlotOf(IndexTable* table, ulong word)
    {
        uint group = Home(table, HashOf(word));
        uint step = 0;
        while (true)
        {
            ulong* slots = GroupAt(table, group);
            for (int i = 0; i < SlotsPerGroup; i++)
            {
                if (slots[i] == word)
                {
                    return slots + i;
                }
            }

            bool goesOn = TryNext(table, HashOf(word), ref group, ref step);
            Invariant.Holds(goesOn, "an entry is in the index");
        }
    }

    /// <summary>Adds a word. The caller must ensure that the table is not full.</summary>
    /// <returns>The group that now contains the word.</returns>
    public static uint Insert(IndexTable* table, ulong word)
    {
        uint group = Home(table, HashOf(word));
        for (uint step = 0; ; step++)
        {
            ulong* slots = GroupAt(table, group);
            for (int i = 0; i < SlotsPerGroup; i++)
            {
                if (slots[i] == 0)
                {
                    Volatile.Write(ref slots[i], word);
                    return group;
                }
            }

            CountPassing(table, group, step, 1);
            group = Next(table, HashOf(word), group, step);
        }
    }

    public static uint GroupOf(IndexTable* table, ulong* slot) => (uint)((slot - GroupAt(table, 0)) / SlotsPerGroup);

    public static void Remove(IndexTable* table, ulong* slot)
    {
        uint hash = HashOf(*slot);
        uint at = GroupOf(table, slot);
        uint group = Home(table, hash);
        Volatile.Write(ref *slot, 0);
        for (uint step = 0; group != at; step++)
        {
            CountPassing(table, group, step, -1);
            group = Next(table, hash, group, step);
        }
    }

    /// <summary>Returns a bit for each slot of the group that may contain the hash.</summary>
    public static uint Candidates(ulong* slots, uint hash)
    {
        if (Vector512.IsHardwareAccelerated)
        {
            Vector512<ulong> lanes = Vector512.Load(slots) & Vector512.Create((ulong)uint.MaxValue);
            return (uint)Vector512.Equals(lanes, Vector512.Create((ulong)hash)).ExtractMostSignificantBits();
        }

        uint found = 0;
        for (int i = 0; i < SlotsPerGroup; i++)
        {
            found |= (uint)slots[i] == hash ? 1u << i : 0;
        }

        return found;
    }

    private static IndexTable* CreateEmpty()
    {
        var table = (IndexTable*)NativeMemory.AlignedAlloc((nuint)BytesFor(1), GroupBytes);
        NativeMemory.Clear(table, (nuint)BytesFor(1));
        table->_groups = 1;
        return table;
    }

    private static uint Next(IndexTable* table, uint hash, uint group, uint step)
    {
        uint groups = table->_groups;
        uint far = step < HashedSteps ? 1 + (uint)(((ulong)(hash * StepFactor) * (groups - 1)) >> 32) : 1;
        return far < groups - group ? group + far : group - (groups - far);
    }

    private static void CountPassing(IndexTable* table, uint group, uint step, int change)
    {
        ushort* counts = CountsAt(table, group);
        int shift = ShiftOf(step);
        if (((uint)*counts >> shift & MaxCount) != MaxCount)
        {
            Volatile.Write(ref *counts, (ushort)(*counts + (change << shift)));
        }
    }

    private static int ShiftOf(uint step) => CountBits * (int)Math.Min(step, LastCount);

    private static ushort* CountsAt(IndexTable* table, uint group) => (ushort*)((byte*)table + HeaderBytes + ((nuint)table->_groups * GroupBytes)) + group;
}
