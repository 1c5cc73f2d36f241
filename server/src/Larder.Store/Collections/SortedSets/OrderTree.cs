namespace Larder.Store.Collections;

/// <summary>
/// The ordered elements of a large sorted set. The leaves contain up to 64 elements. The nodes above the leaves count the elements (<see cref="CountedTree"/>).
/// </summary>
internal static unsafe class OrderTree
{
    /// <summary>The maximum number of elements in a leaf. On average, an insertion moves half of them, which is 512 bytes.</summary>
    public const int MaxItems = 64;

    // A leaf with fewer elements than this is merged with a neighbour if the merged leaf is at most three quarters full.
    private const int FewItems = MaxItems / 4;

    private const int LeafHeaderBytes = 8;

    // A leaf has the same size as a node, so that a freed leaf can be reused as a node and vice versa (SpareNodes).
    private static int LeafBytes => TreeNode.Bytes;

    /// <summary>Returns the memory that may be needed to add this many elements.</summary>
    public static BlockNeed NeedFor(CollectionRoot* root, long elements)
    {
        // Each element may be added to a different full leaf. After a leaf was split, 32 elements must be added before it is split again. After a leaf was
        // merged, 16 elements must be added before it is split.
        long full = root == null ? 0 : root->Count / MaxItems;
        long leaves = Math.Min(elements, full + (elements / FewItems) + 2);
        bool isNew = root == null || root->IsPacked;
        long present = isNew ? 0 : root->ChargedBytes - HashIndex.MinBytes(root);
        long nodes = CountedTree.MaxNodesFor(present / BlockHeap.SizeOf(LeafBytes), leaves, isNew ? 0 : root->Height);
        return BlockNeed.Of(leaves + nodes, BlockHeap.SizeOf(LeafBytes));
    }

    public static ScoredRecord* Items(byte* leaf) => (ScoredRecord*)(leaf + LeafHeaderBytes);

    public static ref int CountOf(byte* leaf) => ref *(int*)leaf;

    public static void Insert(CollectionRoot* root, BlockHeap heap, ScoredRecord item)
    {
        if (root->Tree == null)
        {
            root->Tree = NewLeaf(root, heap);
        }

        ReadOnlySpan<byte> member = HashIndex.Element(item.Record).Key;
        TreePath path = CountedTree.PathTo(root, item.Score, member);
        int at = PlaceOf(path.Leaf, item.Score, member);
        if (CountOf(path.Leaf) == MaxItems)
        {
            Split(root, heap, path, at);
            path = CountedTree.PathTo(root, item.Score, member);
            at = PlaceOf(path.Leaf, item.Score, member);
            if (CountOf(path.Leaf) == MaxItems)
            {
                // The element follows the last element of a full leaf, so it is added to a new leaf.
                byte* added = NewLeaf(root, heap);
                CountOf(added) = 1;
                Items(added)[0] = item;
                CountedTree.Insert(root, heap, path, Describe(added), after: true, Describe(path.Leaf));
                return;
            }
        }

        ScoredRecord* items = Items(path.Leaf);
        int after = CountOf(path.Leaf)++ - at;
        Buffer.MemoryCopy(items + at, items + at + 1, after * sizeof(ScoredRecord), after * sizeof(ScoredRecord));
        items[at] = item;
        CountedTree.AddItems(path, 1);
        if (at == 0)
        {
            CountedTree.SetFirst(path, item);
        }
    }

    public static void Remove(CollectionRoot* root, BlockHeap heap, double score, ReadOnlySpan<byte> member)
    {
        TreePath path = CountedTree.PathTo(root, score, member);
        int at = PlaceOf(path.Leaf, score, member);
        ScoredRecord* items = Items(path.Leaf);
        Invariant.Holds(at < CountOf(path.Leaf) && items[at].CompareTo(score, member) == 0, "an element stands where its score says");
        int after = --CountOf(path.Leaf) - at;
        Buffer.MemoryCopy(items + at + 1, items + at, after * sizeof(ScoredRecord), after * sizeof(ScoredRecord));
        CountedTree.AddItems(path, -1);
        if (CountOf(path.Leaf) == 0)
        {
            CountedTree.Remove(root, heap, path);
            return;
        }

        if (at == 0)
        {
            CountedTree.SetFirst(path, items[0]);
        }

        if (CountOf(path.Leaf) < FewItems && path.Length > 0)
        {
            Join(root, heap, path);
        }
    }

    /// <summary>Returns the number of elements before this position in the sort order.</summary>
    public static long RankOf(CollectionRoot* root, double score, ReadOnlySpan<byte> member)
    {
        TreePath path = CountedTree.PathTo(root, score, member);
        return path.Before + PlaceOf(path.Leaf, score, member);
    }

    /// <summary>
    /// Returns the number of elements with a smaller score. If <paramref name="orEqual"/> is true, elements with the same score are included.
    /// </summary>
    public static long CountBelow(CollectionRoot* root, double score, bool orEqual)
    {
        long below = 0;
        byte* node = root->Tree;
        for (int level = 0; level < root->Height; level++)
        {
            TreeChild* children = TreeNode.Children(node);
            int last = TreeNode.CountOf(node) - 1;
            int slot = 0;
            while (slot < last && IsBelow(children[slot + 1].First.Score, score, orEqual))
            {
                below += children[slot++].Items;
            }

            node = children[slot].Node;
        }

        ScoredRecord* items = Items(node);
        int low = 0;
        int high = CountOf(node);
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (IsBelow(items[middle].Score, score, orEqual))
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return below + low;
    }

    private static bool IsBelow(double present, double score, bool orEqual) => present < score || (orEqual && present == score);

    // Returns the number of elements of a leaf before this position in the sort order.
    private static int PlaceOf(byte* leaf, double score, ReadOnlySpan<byte> member)
    {
        ScoredRecord* items = Items(leaf);
        int low = 0;
        int high = CountOf(leaf);
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (items[middle].CompareTo(score, member) < 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    private static byte* NewLeaf(CollectionRoot* root, BlockHeap heap)
    {
        byte* leaf = SpareNodes.Take(root, heap);
        CountOf(leaf) = 0;
        return leaf;
    }

    private static TreeChild Describe(byte* leaf) => new() { Node = leaf, Items = CountOf(leaf), First = Items(leaf)[0] };

    // Moves half of the elements to a new leaf, unless the new element follows the last element of the whole set.
    private static void Split(CollectionRoot* root, BlockHeap heap, in TreePath path, int at)
    {
        if (at == MaxItems && path.Before + MaxItems >= LinkedItems(root, path))
        {
            return;
        }

        byte* right = NewLeaf(root, heap);
        CountOf(right) = MaxItems / 2;
        CountOf(path.Leaf) = MaxItems / 2;
        Buffer.MemoryCopy(Items(path.Leaf) + (MaxItems / 2), Items(right), LeafBytes - LeafHeaderBytes, MaxItems / 2 * sizeof(ScoredRecord));
        CountedTree.AddItems(path, -MaxItems / 2);
        CountedTree.Insert(root, heap, path, Describe(right), after: true, Describe(path.Leaf));
    }

    private static long LinkedItems(CollectionRoot* root, in TreePath path) =>
        path.Length == 0 ? CountOf(path.Leaf) : TreeNode.Items(root->Tree);

    private static void Join(CollectionRoot* root, BlockHeap heap, TreePath path)
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
        int kept = CountOf(pair[0].Node);
        int moved = CountOf(pair[1].Node);
        if (kept + moved > MaxItems / 4 * 3)
        {
            return;
        }

        Buffer.MemoryCopy(Items(pair[1].Node), Items(pair[0].Node) + kept, moved * sizeof(ScoredRecord), moved * sizeof(ScoredRecord));
        CountOf(pair[0].Node) += moved;
        pair[0].Items += moved;
        pair[1].Items = 0;
        CountedTree.Remove(root, heap, path.To(left + 1, pair[1].Node));
    }
}
