using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Larder.Store;

/// <summary>
/// A fixed-size hash table in native memory: groups of 8 words, one cache line each. A word is 32 bits of hash and a 32-bit address;
/// 0 is empty. An entry stands in its home group or, where that is full, in one after it, and each group it passed over counts it, so
/// that a lookup goes on past a group only while something did. Words are only ever written whole and never moved, so readers need no lock.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct IndexTable
{
    public const int SlotsPerGroup = 8;
    private const int HeaderBytes = 64;
    private const int GroupBytes = SlotsPerGroup * sizeof(ulong);

    // A passed-over count that reaches this stays there until the table is rebuilt.
    private const byte Saturated = byte.MaxValue;

    private uint _groups;

    public readonly uint Groups => _groups;

    public readonly uint Slots => _groups * SlotsPerGroup;

    /// <summary>A table that holds nothing and is never freed: what a closed shard's readers find.</summary>
    public static IndexTable* Empty { get; } = CreateEmpty();

    public static long BytesFor(uint groups) => HeaderBytes + ((long)groups * (GroupBytes + 1));

    /// <summary>An empty table, or null where the system refuses the memory.</summary>
    public static IndexTable* TryCreate(PageRegions pages, uint groups)
    {
        var table = (IndexTable*)pages.TryAllocate(BytesFor(groups));
        if (table != null)
        {
            table->_groups = groups;
        }

        return table;
    }

    public static void Destroy(PageRegions pages, IndexTable* table) => pages.Free((byte*)table, BytesFor(table->_groups));

    public static ulong Word(uint hash, uint address) => ((ulong)address << 32) | hash;

    public static uint HashOf(ulong word) => (uint)word;

    public static uint AddressOf(ulong word) => (uint)(word >> 32);

    public static ulong* GroupAt(IndexTable* table, uint group) => (ulong*)((byte*)table + HeaderBytes) + ((nuint)group * SlotsPerGroup);

    public static uint Home(IndexTable* table, uint hash) => (uint)(((ulong)hash * table->_groups) >> 32);

    public static uint After(IndexTable* table, uint group) => group + 1 == table->_groups ? 0 : group + 1;

    public static bool PassedOver(IndexTable* table, uint group) => Volatile.Read(ref *PassedOverAt(table, group)) != 0;

    /// <summary>The slot that holds exactly this word, which must be there.</summary>
    public static ulong* SlotOf(IndexTable* table, ulong word)
    {
        uint group = Home(table, HashOf(word));
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

            Invariant.Holds(PassedOver(table, group), "an entry is in the index");
            group = After(table, group);
        }
    }

    /// <summary>Adds a word; the caller keeps the table from filling up.</summary>
    /// <returns>The group that it stands in.</returns>
    public static uint Insert(IndexTable* table, ulong word)
    {
        uint group = Home(table, HashOf(word));
        while (true)
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

            byte* passed = PassedOverAt(table, group);
            if (*passed != Saturated)
            {
                (*passed)++;
            }

            group = After(table, group);
        }
    }

    public static uint GroupOf(IndexTable* table, ulong* slot) => (uint)((slot - GroupAt(table, 0)) / SlotsPerGroup);

    public static void Remove(IndexTable* table, ulong* slot)
    {
        uint home = Home(table, HashOf(*slot));
        uint at = GroupOf(table, slot);
        Volatile.Write(ref *slot, 0);
        for (uint group = home; group != at; group = After(table, group))
        {
            byte* passed = PassedOverAt(table, group);
            if (*passed != Saturated)
            {
                (*passed)--;
            }
        }
    }

    /// <summary>A bit for each slot of the group that may hold the hash.</summary>
    public static uint Candidates(ulong* slots, uint hash)
    {
        if (Vector512.IsHardwareAccelerated)
        {
            var lanes = Vector512.Load(slots) & Vector512.Create((ulong)uint.MaxValue);
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

    private static byte* PassedOverAt(IndexTable* table, uint group) => (byte*)table + HeaderBytes + ((nuint)table->_groups * GroupBytes) + group;
}
