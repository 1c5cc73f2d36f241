namespace Larder.Store;

/// <summary>
/// Remembers recently evicted keys by 16 bits of their hash. Each group of 32 bytes contains 15 fingerprints and a cursor. The oldest fingerprint is
/// overwritten first. A key takes about 2.1 bytes. The false positive rate is about 1 in 4,000.
/// </summary>
internal sealed unsafe class GhostFilter
{
    private const int WordsPerGroup = 16;
    private const int GroupBytes = WordsPerGroup * sizeof(ushort);

    private readonly PageRegions _pages;
    private readonly ushort* _words;
    private readonly uint _groups;

    private GhostFilter(PageRegions pages, ushort* words, uint groups)
    {
        _pages = pages;
        _words = words;
        _groups = groups;
    }

    /// <summary>The number of keys in a full filter.</summary>
    public long Capacity => _groups * (long)(WordsPerGroup - 1);

    public long Bytes => (long)_groups * GroupBytes;

    /// <summary>Returns the memory of a filter for this many keys, in bytes.</summary>
    public static long BytesFor(long keys) => (long)GroupsFor(keys) * GroupBytes;

    /// <summary>Creates an empty filter for this many keys. Returns null if the operating system refuses the memory.</summary>
    public static GhostFilter? TryCreate(PageRegions pages, long keys)
    {
        ushort* words = (ushort*)pages.TryAllocate(BytesFor(keys));
        return words == null ? null : new GhostFilter(pages, words, GroupsFor(keys));
    }

    public void Free() => _pages.Free((byte*)_words, Bytes);

    public void Add(uint hash)
    {
        ushort* group = GroupOf(hash);
        int cursor = (group[0] % (WordsPerGroup - 1)) + 1;
        group[0] = (ushort)cursor;
        group[cursor] = Fingerprint(hash);
    }

    /// <summary>Returns whether the key was evicted recently, and removes the key from the filter.</summary>
    public bool Take(uint hash)
    {
        ushort* group = GroupOf(hash);
        ushort wanted = Fingerprint(hash);
        for (int i = 1; i < WordsPerGroup; i++)
        {
            if (group[i] == wanted)
            {
                group[i] = 0;
                return true;
            }
        }

        return false;
    }

    private static uint GroupsFor(long keys) => (uint)Math.Clamp(keys / (WordsPerGroup - 1), 4, uint.MaxValue);

    // The high bits of the hash choose the group. The low bits are the fingerprint. An empty word is 0.
    private ushort* GroupOf(uint hash) => _words + ((((ulong)hash * _groups) >> 32) * WordsPerGroup);

    private static ushort Fingerprint(uint hash) => (ushort)Math.Max(hash & 0xFFFF, 1);
}
