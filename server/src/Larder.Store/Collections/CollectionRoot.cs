using System.Runtime.InteropServices;

namespace Larder.Store.Collections;

/// <summary>
/// The root of a collection: its accounts and pointers to its elements. The collection's entry points to it. The root never moves while the collection
/// exists. A small dictionary, set or sorted set is packed into one block (<see cref="PackedElements"/>). A large one is a hash table of records
/// (<see cref="HashIndex"/>); a large sorted set also has a tree of the records in order (<see cref="OrderTree"/>). A list is a tree of leaves
/// (<see cref="ListLeaf"/>).
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct CollectionRoot
{
    /// <summary>If positive, the number of readers without the shard's lock. If -1, a write has released the lock and will continue.</summary>
    public int Latch;

    public byte TypeNumber;

    /// <summary>Whether the elements are packed in one block.</summary>
    public bool IsPacked;

    /// <summary>Whether no entry refers to the collection any more. The call that releases the latch frees it.</summary>
    public bool IsGone;

    /// <summary>Whether a write waits for the latch. New readers must wait then.</summary>
    public bool IsAwaited;

    /// <summary>Number of elements or fields.</summary>
    public long Count;

    /// <summary>Bytes of all its blocks, including block headers.</summary>
    public long ChargedBytes;

    /// <summary>Bytes of elements, fields and values. A score counts 8 bytes, or its encoded size if packed.</summary>
    public long PayloadBytes;

    /// <summary>The block of packed elements, or the hash table's directory. Lists use this field as <see cref="Removed"/>.</summary>
    public byte* Data;

    /// <summary>The root node of the tree.</summary>
    public byte* Tree;

    /// <summary>Bytes of packed elements. Lists use this field as <see cref="Shift"/>.</summary>
    public int UsedBytes;

    /// <summary>Number of tree levels above the leaves.</summary>
    public int Height;

    /// <summary>For lists: how many elements were removed from the middle, that is, not from an end.</summary>
    public long Removed
    {
        readonly get => (long)Data;
        set => Data = (byte*)value;
    }

    /// <summary>For lists: elements pushed at the front minus elements removed there, which is how far the indexes of the others have moved.</summary>
    public int Shift
    {
        readonly get => UsedBytes;
        set => UsedBytes = value;
    }

    public readonly ItemType Type => (ItemType)TypeNumber;

    /// <summary>Whether <see cref="Data"/> points to a block.</summary>
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

    /// <summary>Extends one of the collection's blocks in place. Returns false, and changes nothing, if there is no space after it.</summary>
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
