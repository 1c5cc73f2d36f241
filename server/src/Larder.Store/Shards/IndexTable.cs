using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Larder.Store;

/// <summary>
/// A fixed-size hash table in native memory: groups of 8 words, one cache line each. A word is 32 bits of hash and a 32-bit address;
/// 0 is empty. An entry stands in its home group or, where that is full, in the next of its path: three steps of its hash's own length,
/// then group by group. A group counts who passed it over, apart for the first, second and further of their groups, so that a lookup goes
/// on only while something did. Words are only ever written whole and never moved, so readers need no lock; therefore room that comes free
/// draws nobody back, and a table where entries come and go has longer paths than one just built (ADR-0063: 3.5 groups for a key that is not
/// there at 87 % in use).
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct IndexTable
{
    public const int SlotsPerGroup = 8;
    private const int HeaderBytes = 64;
    private const int GroupBytes = SlotsPerGroup * sizeof(ulong);

    // Steps of the hash's own length; further ones go to the group after.
    private const uint HashedSteps = 3;

    // Passed-over counts of a group: three of 5 bits. One that reaches 31 stays there until the table is rebuilt; 28 is the most seen at 96 %.
    private const int CountBits = 5;
    private const int LastCount = 2;
    private const uint MaxCount = (1 << CountBits) - 1;

    // Mixes the bits that chose the home group with those that did not (2^32 divided by the golden ratio).
    private const uint StepFactor = 0x9E3779B1;

    private static long s_serials;

    private uint _groups;
    private long _serial;

    /// <summary>A number that no other table of this process has had, whose memory may be used again by another; 0 of <see cref="Empty"/>.</summary>
    public readonly long Serial => _serial;

    public readonly uint Groups => _groups;

    public readonly uint Slots => _groups * SlotsPerGroup;

    /// <summary>A table that holds nothing and is never freed: what a closed shard's readers find.</summary>
    public static IndexTable* Empty { get; } = CreateEmpty();

    public static long BytesFor(uint groups) => HeaderBytes + ((long)groups * (GroupBytes + sizeof(ushort)));

    /// <summary>An empty table, or null where the system refuses the memory.</summary>
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

    /// <summary>The memory that it is.</summary>
    public static PageBlock BlockOf(IndexTable* table) => new((byte*)table, BytesFor(table->_groups));

    public static ulong Word(uint hash, uint address) => ((ulong)address << 32) | hash;

    public static uint HashOf(ulong word) => (uint)word;

    public static uint AddressOf(ulong word) => (uint)(word >> 32);

    public static ulong* GroupAt(IndexTable* table, uint group) => (ulong*)((byte*)table + HeaderBytes) + ((nuint)group * SlotsPerGroup);

    public static uint Home(IndexTable* table, uint hash) => (uint)(((ulong)hash * table->_groups) >> 32);

    /// <summary>Goes from a group, where a word was not found, to the next of its path.</summary>
    /// <param name="table">The table.</param>
    /// <param name="hash">The word's hash.</param>
    /// <param name="group">The group; then the next.</param>
    /// <param name="step">How many came before it, from 0; then one more.</param>
    /// <returns>False where no word that passed this group over is further on.</returns>
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

    /// <summary>The slot that holds exactly this word, which must be there.</summary>
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

    /// <summary>Adds a word; the caller keeps the table from filling up.</summary>
    /// <returns>The group that it stands in.</returns>
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

    /// <summary>A bit for each slot of the group that may hold the hash.</summary>
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
