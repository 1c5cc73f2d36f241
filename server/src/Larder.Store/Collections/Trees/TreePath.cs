namespace Larder.Store.Collections;

/// <summary>The way from a tree's top to a leaf: the inner nodes, and which child of each.</summary>
internal unsafe struct TreePath
{
    // Nodes but the top have 8 children at least, after joins: 8 to the 12th leaves.
    private const int MostLevels = 12;

    private fixed long _nodes[MostLevels];
    private fixed int _slots[MostLevels];

    /// <summary>Inner nodes.</summary>
    public int Length;

    /// <summary>The leaf.</summary>
    public byte* Leaf;

    /// <summary>Elements before the leaf.</summary>
    public long Before;

    public readonly byte* Node(int level) => (byte*)_nodes[level];

    public readonly int Slot(int level) => _slots[level];

    /// <summary>The child that is gone to from this level.</summary>
    public readonly TreeChild* Child(int level) => TreeNode.Children(Node(level)) + _slots[level];

    /// <summary>The way to another leaf under the same node.</summary>
    public readonly TreePath To(int slot, byte* leaf)
    {
        TreePath path = this;
        path._slots[Length - 1] = slot;
        path.Leaf = leaf;
        return path;
    }

    public void Add(byte* node, int slot)
    {
        Invariant.Holds(Length < MostLevels, "a tree is no higher than a path");
        _nodes[Length] = (long)node;
        _slots[Length++] = slot;
    }
}
