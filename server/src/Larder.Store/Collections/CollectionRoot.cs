using System.Runtime.InteropServices;

namespace Larder.Store.Collections;

/// <summary>
/// The root of a collection: its accounts and pointers to its elements. The collection's entry points to it. The root never moves while the collection exists.
/// A small dictionary, set or sorted set is packed into one block (<see cref="PackedElements"/>). A large dictionary, set or sorted set is a hash table of
/// records (<see cref="HashIndex"/>). A large sorted set also has an ordered tree of the records (<see cref="OrderTree"/>). A list is a tree of leaves
/// (<see cref="ListLeaf"/>).
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct CollectionRoot
{
    /// <summary>
    /// The latch. A positive value is the number of readers that do not hold the shard's lock. The value -1 means that a write has released the lock and will
    /// continue.
    /// </summary>
    public int Latch;

    public byte TypeNumber;

    /// <summary>Whether the elements are packed in one block.</summary>
    public bool IsPacked;

    /// <summary>Whether no entry refers to the collection anymore. If so, the call that releases the latch frees the collection.</summary>
    public bool IsGone;

    /// <summary>Whether a write waits for the latch. If so, new readers must also wait.</summary>
    public bool IsAwaited;

    /// <summary>The number of elements or fields.</summary>
    public long Count;

    /// <summary>The number of bytes of all blocks of the collection, including block headers.</summary>
    public long ChargedBytes;

    /// <summary>The number of bytes of elements, fields and values. A score counts as 8 bytes, or as its encoded size if the collection is packed.</summary>
    public long PayloadBytes;

    /// <summary>The block of packed elements, or the directory of the hash table. Lists use this field as <see cref="Removed"/>.</summary>
    public byte* Data;

    /// <summary>The root node of the tree.</summary>
    public byte* Tree;

    /// <summary>The number of bytes of packed elements. Lists use this field as <see cref="Shift"/>.</summary>
    public int UsedBytes;

    /// <summary>The number of tree levels above the leaves.</summary>
    public int Height;

    /// <summary>For lists: the number of elements that were removed from neither the front nor the back.</summary>
    public long Removed
    {
        readonly get => (long)Data;
        set => Data = (byte*)value;
    }

    /// <summary>
    /// For lists: the number of elements pushed at the front minus the number of elements removed there. This is the amount by which the indexes of the other
    /// elements have increased.
    /// </summary>
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

    /// <summary>Extends one of the collection's blocks in place. Returns false, and changes nothing, if there is no free space after the block.</summary>
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
