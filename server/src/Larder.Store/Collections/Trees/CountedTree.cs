namespace Larder.Store.Collections;

/// <summary>
/// The inner nodes of the tree of a list or sorted set. Each node stores the number of elements under each child, so that elements can be found by index. The
/// leaves belong to the list or sorted set; the first four bytes of a leaf are its element count.
/// </summary>
internal static unsafe class CountedTree
{
    /// <summary>Returns the maximum number of new inner nodes that may be needed to add leaves at any positions.</summary>
    /// <param name="present">The maximum number of existing nodes and leaves.</param>
    /// <param name="leaves">The number of leaves to add.</param>
    /// <param name="height">The number of existing levels of inner nodes.</param>
    public static long MaxNodesFor(long present, long leaves, int height)
    {
        // A new leaf may split one node per level and add a root. But at most one of 32 nodes can be full. After a node was split, 16 children must be added
        // before it is split again. After a node was merged, 8 children must be added before it is split. Therefore, the number S of splits is at most present
        // / 33 + (leaves + S) (1 / 33 + 1 / 9), plus a few splits per level if leaves are added at the end.
        return Math.Min(leaves * (height + 2), (present / 24) + (leaves / 6) + (4 * (height + 6)));
    }

    /// <summary>Returns the path to the element at an index, or to the last leaf if the index is too large.</summary>
    public static TreePath PathTo(CollectionRoot* root, long index)
    {
        TreePath path = default;
        byte* node = root->Tree;
        for (int level = 0; level < root->Height; level++)
        {
            TreeChild* children = TreeNode.Children(node);
            int last = TreeNode.CountOf(node) - 1;
            int slot = 0;
            while (slot < last && index - path.Before >= children[slot].Items)
            {
                path.Before += children[slot++].Items;
            }

            path.Add(node, slot);
            node = children[slot].Node;
        }

        path.Leaf = node;
        return path;
    }

    /// <summary>
    /// Returns the path to the leaf that contains the element with this score and member. If there is no such element, returns the path to the leaf to which it
    /// would be added.
    /// </summary>
    public static TreePath PathTo(CollectionRoot* root, double score, ReadOnlySpan<byte> member)
    {
        TreePath path = default;
        byte* node = root->Tree;
        for (int level = 0; level < root->Height; level++)
        {
            TreeChild* children = TreeNode.Children(node);
            int low = 0;
            int high = TreeNode.CountOf(node) - 1;
            while (low < high)
            {
                int middle = (low + high + 1) / 2;
                if (children[middle].First.CompareTo(score, member) <= 0)
                {
                    low = middle;
                }
                else
                {
                    high = middle - 1;
                }
            }

            for (int before = 0; before < low; before++)
            {
                path.Before += children[before].Items;
            }

            path.Add(node, low);
            node = children[low].Node;
        }

        path.Leaf = node;
        return path;
    }

    public static void AddItems(in TreePath path, long items)
    {
        for (int level = 0; level < path.Length; level++)
        {
            path.Child(level)->Items += items;
        }
    }

    /// <summary>Updates the nodes above a leaf after the first element of the leaf has changed.</summary>
    public static void SetFirst(in TreePath path, ScoredRecord first)
    {
        for (int level = path.Length - 1; level >= 0; level--)
        {
            path.Child(level)->First = first;
            if (path.Slot(level) > 0)
            {
                return;
            }
        }
    }

    /// <summary>Inserts a leaf next to the leaf of a path. The counts for the existing leaf must already be correct.</summary>
    /// <param name="root">The collection.</param>
    /// <param name="heap">The heap of the nodes, in which memory must be reserved.</param>
    /// <param name="path">The path to the existing leaf.</param>
    /// <param name="added">The leaf to insert.</param>
    /// <param name="after">True to insert the new leaf after the existing leaf, false to insert it before.</param>
    /// <param name="present">
    /// The child entry for the existing leaf. It is used only if the existing leaf is the whole tree, because a new root is then created above both leaves.
    /// </param>
    public static void Insert(CollectionRoot* root, BlockHeap heap, in TreePath path, TreeChild added, bool after, TreeChild present)
    {
        long items = added.Items;
        for (int level = path.Length - 1; level >= 0; level--)
        {
            byte* node = path.Node(level);
            int slot = path.Slot(level) + (after ? 1 : 0);
            TreeChild split = default;
            if (TreeNode.CountOf(node) == TreeNode.MaxChildren)
            {
                split = Split(root, heap, node, isLast: slot == TreeNode.MaxChildren && IsLast(path, level));
                int kept = TreeNode.CountOf(node);
                bool toSplit = slot > kept || (slot == kept && TreeNode.CountOf(split.Node) == 0);
                TreeNode.Insert(toSplit ? split.Node : node, toSplit ? slot - kept : slot, added);
                split.Items = TreeNode.Items(split.Node);
                split.First = TreeNode.Children(split.Node)[0].First;
            }
            else
            {
                TreeNode.Insert(node, slot, added);
            }

            present = new TreeChild { Node = node, Items = TreeNode.Items(node), First = TreeNode.Children(node)[0].First };
            if (split.Node == null)
            {
                Renew(path, level, items);
                return;
            }

            if (level > 0)
            {
                TreeChild* above = path.Child(level - 1);
                above->Items = present.Items;
                above->First = present.First;
            }

            added = split;
            after = true;
        }

        byte* top = SpareNodes.Take(root, heap);
        TreeNode.CountOf(top) = 2;
        TreeNode.Children(top)[after ? 0 : 1] = present;
        TreeNode.Children(top)[after ? 1 : 0] = added;
        root->Tree = top;
        root->Height++;
    }

    /// <summary>Removes and frees the leaf of a path. The nodes above the leaf must already count the leaf as empty.</summary>
    public static void Remove(CollectionRoot* root, BlockHeap heap, in TreePath path)
    {
        FreeLeaf(root, heap, path.Leaf);
        int level = path.Length - 1;
        for (; level >= 0; level--)
        {
            byte* node = path.Node(level);
            TreeNode.Remove(node, path.Slot(level));
            if (TreeNode.CountOf(node) > 0)
            {
                break;
            }

            SpareNodes.Give(root, heap, node);
        }

        if (level < 0)
        {
            root->Tree = null;
            root->Height = 0;
            return;
        }

        if (path.Slot(level) == 0)
        {
            RenewFirst(path, level);
        }

        Join(root, heap, path, level);
        while (root->Height > 0 && TreeNode.CountOf(root->Tree) == 1)
        {
            byte* top = root->Tree;
            root->Tree = TreeNode.Children(top)[0].Node;
            root->Height--;
            SpareNodes.Give(root, heap, top);
        }
    }

    private static void FreeLeaf(CollectionRoot* root, BlockHeap heap, byte* leaf)
    {
        if (root->Type == ItemType.SortedSet)
        {
            SpareNodes.Give(root, heap, leaf);
        }
        else
        {
            CollectionRoot.Free(root, heap, leaf);
        }
    }

    // Returns whether the path's node is the last node of its level.
    private static bool IsLast(in TreePath path, int level)
    {
        for (int above = 0; above < level; above++)
        {
            if (path.Slot(above) < TreeNode.CountOf(path.Node(above)) - 1)
            {
                return false;
            }
        }

        return true;
    }

    // Splits a node: moves half of its children to a new node. At the end of the tree, no children are moved, so that nodes are full if elements are added in
    // order.
    private static TreeChild Split(CollectionRoot* root, BlockHeap heap, byte* node, bool isLast)
    {
        byte* right = SpareNodes.Take(root, heap);
        int kept = isLast ? TreeNode.MaxChildren : TreeNode.MaxChildren / 2;
        int moved = TreeNode.MaxChildren - kept;
        TreeNode.CountOf(right) = moved;
        TreeNode.CountOf(node) = kept;
        Buffer.MemoryCopy(TreeNode.Children(node) + kept, TreeNode.Children(right), moved * sizeof(TreeChild), moved * sizeof(TreeChild));
        return new TreeChild { Node = right };
    }

    // Updates the nodes above a node to which this many elements were added.
    private static void Renew(in TreePath path, int level, long items)
    {
        for (int above = level - 1; above >= 0; above--)
        {
            path.Child(above)->Items += items;
        }

        RenewFirst(path, level);
    }

    private static void RenewFirst(in TreePath path, int level)
    {
        ScoredRecord first = TreeNode.Children(path.Node(level))[0].First;
        for (int above = level - 1; above >= 0; above--)
        {
            path.Child(above)->First = first;
            if (path.Slot(above) > 0)
            {
                return;
            }
        }
    }

    private static void Join(CollectionRoot* root, BlockHeap heap, in TreePath path, int level)
    {
        for (; level > 0; level--)
        {
            byte* node = path.Node(level);
            byte* parent = path.Node(level - 1);
            int slot = path.Slot(level - 1);
            if (TreeNode.CountOf(node) >= TreeNode.FewChildren || TreeNode.CountOf(parent) < 2)
            {
                return;
            }

            int left = slot > 0 ? slot - 1 : slot;
            TreeChild* pair = TreeNode.Children(parent) + left;
            int kept = TreeNode.CountOf(pair[0].Node);
            int moved = TreeNode.CountOf(pair[1].Node);
            if (kept + moved > TreeNode.MaxChildren / 4 * 3)
            {
                return;
            }

            Buffer.MemoryCopy(
                TreeNode.Children(pair[1].Node), TreeNode.Children(pair[0].Node) + kept, moved * sizeof(TreeChild), moved * sizeof(TreeChild));
            TreeNode.CountOf(pair[0].Node) += moved;
            pair[0].Items += pair[1].Items;
            SpareNodes.Give(root, heap, pair[1].Node);
            TreeNode.Remove(parent, left + 1);
        }
    }
}
