namespace Larder.Store.Collections;

/// <summary>The path from the root of a tree to a leaf: the inner nodes, and for each node the child that the path takes.</summary>
internal unsafe struct TreePath
{
    // The maximum height of a tree. Small nodes are merged, so every node except the root has at least 8 children, and so 8^12 leaves are possible.
    private const int MaxLevels = 12;

    private fixed long _nodes[MaxLevels];
    private fixed int _slots[MaxLevels];

    /// <summary>The number of inner nodes.</summary>
    public int Length;

    /// <summary>The leaf at the end of the path.</summary>
    public byte* Leaf;

    /// <summary>The number of elements before the leaf.</summary>
    public long Before;

    public readonly byte* Node(int level) => (byte*)_nodes[level];

    public readonly int Slot(int level) => _slots[level];

    /// <summary>Returns the child that the path takes at this level.</summary>
    public readonly TreeChild* Child(int level) => TreeNode.Children(Node(level)) + _slots[level];

    /// <summary>Returns the path to another leaf under the same parent.</summary>
    public readonly TreePath To(int slot, byte* leaf)
    {
        TreePath path = this;
        path._slots[Length - 1] = slot;
        path.Leaf = leaf;
        return path;
    }

    public void Add(byte* node, int slot)
    {
        Invariant.Holds(Length < MaxLevels, "a tree is no higher than a path");
        _nodes[Length] = (long)node;
        _slots[Length++] = slot;
    }
}
