using System.Runtime.InteropServices;

namespace Larder.Store.Collections;

/// <summary>
/// What a collection's entry refers to: its accounts, and where its elements are. It stays where it is as long as the collection lives. A small dictionary, set
/// or sorted set is packed in one block (<see cref="PackedElements"/>); a large one is a hash of records (<see cref="HashIndex"/>), and of a sorted set also
/// a tree of them in order (<see cref="OrderTree"/>); a list is a tree of leaves (<see cref="ListLeaf"/>).
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct CollectionRoot
{
    /// <summary>Above 0: so many look at it without the shard's lock. -1: a write goes on after letting others have the lock.</summary>
    public int Latch;

    public byte TypeNumber;

    /// <summary>Whether it is packed in one block.</summary>
    public bool IsPacked;

    /// <summary>No entry refers to it any more; who gives the latch back frees it.</summary>
    public bool IsGone;

    /// <summary>A write waits for the latch: no reader begins to look.</summary>
    public bool IsAwaited;

    /// <summary>Elements, or fields.</summary>
    public long Count;

    /// <summary>Bytes of all its blocks, with their headers.</summary>
    public long ChargedBytes;

    /// <summary>Bytes of elements, fields and values; a score counts 8, packed as much as it takes.</summary>
    public long PayloadBytes;

    /// <summary>The packed elements, or the hash's directory; of a list, see <see cref="Removed"/>.</summary>
    public byte* Data;

    /// <summary>The top of the tree.</summary>
    public byte* Tree;

    /// <summary>Bytes of packed elements; of a list, see <see cref="Shift"/>.</summary>
    public int UsedBytes;

    /// <summary>Levels of the tree above its leaves.</summary>
    public int Height;

    /// <summary>Of a list: elements that left it from neither end.</summary>
    public long Removed
    {
        readonly get => (long)Data;
        set => Data = (byte*)value;
    }

    /// <summary>Of a list: elements that came to its front, less those that left from there: how far the others' indexes have moved.</summary>
    public int Shift
    {
        readonly get => UsedBytes;
        set => UsedBytes = value;
    }

    public readonly ItemType Type => (ItemType)TypeNumber;

    /// <summary>Whether <see cref="Data"/> is a block.</summary>
    public readonly bool HasData => Data != null && Type != ItemType.List;

    public static CollectionRoot* Create(BlockHeap heap, ItemType type)
    {
        var root = (CollectionRoot*)heap.Allocate(sizeof(CollectionRoot));
        *root = default;
        root->TypeNumber = (byte)type;
        root->IsPacked = type != ItemType.List;
        root->ChargedBytes = BlockHeap.SizeOf((byte*)root);
        return root;
    }

    public static byte* Allocate(CollectionRoot* root, BlockHeap heap, long bytes)
    {
        byte* block = heap.Allocate(bytes);
        root->ChargedBytes += BlockHeap.SizeOf(block);
        return block;
    }

    /// <summary>Makes one of its blocks larger where it stands; false, with nothing done, where there is no room behind it.</summary>
    public static bool TryExtend(CollectionRoot* root, BlockHeap heap, byte* block, long bytes)
    {
        root->ChargedBytes -= BlockHeap.SizeOf(block);
        bool extended = heap.TryExtend(block, bytes);
        root->ChargedBytes += BlockHeap.SizeOf(block);
        return extended;
    }

    public static void Free(CollectionRoot* root, BlockHeap heap, void* block)
    {
        root->ChargedBytes -= BlockHeap.SizeOf((byte*)block);
        heap.Free((byte*)block);
    }
}
