namespace Larder.Store.Collections;

/// <summary>The elements of a list. The leaves contain packed elements (<see cref="ListLeaf"/>). The nodes above the leaves count the elements.</summary>
internal static unsafe class ListElements
{
    /// <summary>Returns the memory that may be needed to push elements.</summary>
    public static BlockNeed NeedFor(CollectionRoot* root, in ListNeed pushed)
    {
        bool isOneLeaf = root == null || root->Height == 0;
        long first = PresentBytes(root) + pushed.Fill;
        if (isOneLeaf && pushed.Leaves == 1 && first <= ListLeaf.Bytes)
        {
            // A leaf grows by half each time, so all its blocks together are smaller than three times the last block.
            return BlockNeed.Of(3, LeafSize((int)Math.Min(first * 3 / 2, ListLeaf.Bytes) + ListLeaf.MinBytes));
        }

        // All elements are added at one end of the list, so only the nodes at that end are split. After a split, half the maximum number of children must be
        // added to a node before it is split again.
        long nodes = (pushed.Leaves / (TreeNode.MaxChildren / 4)) + (root == null ? 0 : root->Height) + 3;
        return new BlockNeed(pushed.NewBytes, pushed.LargestBytes)
            + BlockNeed.Of(3, LeafSize(ListLeaf.Bytes))
            + BlockNeed.Of(nodes, BlockHeap.SizeOf(TreeNode.Bytes));
    }

    public static void Push(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> element, bool front)
    {
        root->Count++;
        root->Shift += front ? 1 : 0;
        root->PayloadBytes += element.Length;
        int size = ListLeaf.SizeOf(element.Length);
        if (root->Tree == null)
        {
            root->Tree = NewLeaf(root, heap, Math.Max(size, ListLeaf.MinBytes), front);
        }

        TreePath path = CountedTree.PathTo(root, front ? 0 : long.MaxValue);
        var leaf = (ListLeaf*)path.Leaf;
        int wanted = leaf->End - leaf->Start + size;
        if (root->Height == 0 && wanted > leaf->Capacity && wanted <= ListLeaf.Bytes)
        {
            leaf = Enlarge(root, heap, leaf, wanted, front);
        }

        if (ListLeaf.TryPush(leaf, element, front))
        {
            CountedTree.AddItems(path, 1);
            return;
        }

        byte* added = NewLeaf(root, heap, Math.Max(size, ListLeaf.Bytes), front);
        bool written = ListLeaf.TryPush((ListLeaf*)added, element, front);
        Invariant.Holds(written, "a new leaf has room for its element");
        CountedTree.Insert(root, heap, path, Describe(added), !front, Describe((byte*)leaf));
    }

    /// <summary>Returns the element at one end. The list must not be empty.</summary>
    public static ReadOnlySpan<byte> Peek(CollectionRoot* root, bool front)
    {
        var leaf = (ListLeaf*)CountedTree.PathTo(root, front ? 0 : long.MaxValue).Leaf;
        byte* at = ListLeaf.At(leaf, front ? leaf->Start : leaf->End);
        return front ? ListLeaf.Read(ref at) : ListLeaf.ReadBack(ref at);
    }

    /// <summary>
    /// Removes elements of one leaf, starting at an index. Removes at most <paramref name="count"/> elements, and stops at the end of the leaf.
    /// </summary>
    /// <returns>The number of elements removed.</returns>
    public static long Cut(CollectionRoot* root, BlockHeap heap, long index, long count)
    {
        TreePath path = CountedTree.PathTo(root, index);
        var leaf = (ListLeaf*)path.Leaf;
        int at = (int)(index - path.Before);
        int cut = (int)Math.Min(count, leaf->Count - at);
        root->PayloadBytes -= ListLeaf.Cut(leaf, at, cut);
        root->Shift -= index == 0 ? cut : 0;
        root->Removed += index == 0 || index + count >= root->Count ? 0 : cut;
        Left(root, heap, path, cut);
        return cut;
    }

    /// <summary>Removes the elements equal to a value from the leaf that contains an index.</summary>
    /// <returns>The index after the last element of that leaf.</returns>
    public static long RemoveValue(CollectionRoot* root, BlockHeap heap, long index, ReadOnlySpan<byte> value)
    {
        TreePath path = CountedTree.PathTo(root, index);
        var leaf = (ListLeaf*)path.Leaf;
        byte* from = ListLeaf.At(leaf, leaf->Start);
        byte* to = from;
        byte* end = ListLeaf.At(leaf, leaf->End);
        int removed = 0;
        while (from < end)
        {
            byte* next = from;
            if (ListLeaf.Read(ref next).SequenceEqual(value))
            {
                removed++;
            }
            else
            {
                long size = next - from;
                if (to != from)
                {
                    Buffer.MemoryCopy(from, to, size, size);
                }

                to += size;
            }

            from = next;
        }

        leaf->End -= (int)(end - to);
        leaf->Count -= removed;
        root->PayloadBytes -= (long)removed * value.Length;
        long after = path.Before + leaf->Count;
        root->Removed += removed;
        if (removed > 0)
        {
            Left(root, heap, path, removed);
        }

        return after;
    }

    // Updates the counts after elements were removed from a leaf. Frees the leaf if it is empty, or merges it with a neighbour if it is small.
    private static void Left(CollectionRoot* root, BlockHeap heap, in TreePath path, int elements)
    {
        var leaf = (ListLeaf*)path.Leaf;
        root->Count -= elements;
        CountedTree.AddItems(path, -elements);
        if (leaf->Count == 0)
        {
            CountedTree.Remove(root, heap, path);
        }
        else if (path.Length > 0 && leaf->End - leaf->Start < ListLeaf.Bytes / 4)
        {
            Join(root, heap, path);
        }
    }

    // Merges the leaf with a neighbour if the merged elements fill at most half a leaf. The other half stays free, so that the leaf is not split again soon.
    private static void Join(CollectionRoot* root, BlockHeap heap, in TreePath path)
    {
        int level = path.Length - 1;
        byte* parent = path.Node(level);
        int slot = path.Slot(level);
        if (TreeNode.CountOf(parent) < 2)
        {
            return;
        }

        int left = slot > 0 ? slot - 1 : slot;
        TreeChild* pair = TreeNode.Children(parent) + left;
        var kept = (ListLeaf*)pair[0].Node;
        var moved = (ListLeaf*)pair[1].Node;
        int bytes = moved->End - moved->Start;
        int used = kept->End - kept->Start;
        if (used + bytes > Math.Min(ListLeaf.Bytes / 2, kept->Capacity))
        {
            return;
        }

        Buffer.MemoryCopy(ListLeaf.At(kept, kept->Start), ListLeaf.At(kept, 0), used, used);
        Buffer.MemoryCopy(ListLeaf.At(moved, moved->Start), ListLeaf.At(kept, used), bytes, bytes);
        kept->Start = 0;
        kept->End = used + bytes;
        kept->Count += moved->Count;
        pair[0].Items += pair[1].Items;
        pair[1].Items = 0;
        CountedTree.Remove(root, heap, path.To(left + 1, pair[1].Node));
    }

    private static ListLeaf* Enlarge(CollectionRoot* root, BlockHeap heap, ListLeaf* leaf, int wanted, bool front)
    {
        // The new size is an eighth larger if the leaf can be extended in place, otherwise half larger.
        int inPlace = Math.Min(Math.Max(wanted, leaf->Capacity * 9 / 8), ListLeaf.Bytes);
        if (CollectionRoot.TryExtend(root, heap, (byte*)leaf, sizeof(ListLeaf) + inPlace))
        {
            leaf->Capacity = inPlace;
            return leaf;
        }

        var larger = (ListLeaf*)NewLeaf(root, heap, Math.Min(Math.Max(wanted, leaf->Capacity * 3 / 2), ListLeaf.Bytes), front);
        int used = leaf->End - leaf->Start;
        larger->Start = front ? larger->Capacity - used : 0;
        larger->End = larger->Start + used;
        larger->Count = leaf->Count;
        Buffer.MemoryCopy(ListLeaf.At(leaf, leaf->Start), ListLeaf.At(larger, larger->Start), used, used);
        CollectionRoot.Free(root, heap, leaf);
        root->Tree = (byte*)larger;
        return larger;
    }

    private static byte* NewLeaf(CollectionRoot* root, BlockHeap heap, int capacity, bool front)
    {
        var leaf = (ListLeaf*)CollectionRoot.Allocate(root, heap, sizeof(ListLeaf) + capacity);
        leaf->Count = 0;
        leaf->Capacity = capacity;
        leaf->Start = leaf->End = front ? capacity : 0;
        return (byte*)leaf;
    }

    /// <summary>Returns the number of bytes of a leaf, including its header.</summary>
    public static long LeafSize(int capacity) => BlockHeap.SizeOf(sizeof(ListLeaf) + capacity);

    private static long PresentBytes(CollectionRoot* root) =>
        root == null || root->Tree == null || root->Height > 0 ? 0 : ((ListLeaf*)root->Tree)->End - ((ListLeaf*)root->Tree)->Start;

    private static TreeChild Describe(byte* leaf) => new() { Node = leaf, Items = ((ListLeaf*)leaf)->Count };
}
