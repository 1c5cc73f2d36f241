using System.Runtime.InteropServices;

namespace Larder.Store.Collections;

/// <summary>An inner node of a tree: its children in order, each with how many elements are under it and, of a sorted set, the first of them.</summary>
[StructLayout(LayoutKind.Sequential, Size = 8)]
internal unsafe struct TreeNode
{
    /// <summary>Children at most: to look for one by counting passes half of them, in 512 bytes.</summary>
    public const int MostChildren = 32;

    /// <summary>A node with fewer is joined with its neighbour, where both fit in three quarters of one.</summary>
    public const int FewChildren = MostChildren / 4;

    /// <summary>Bytes of a node.</summary>
    public static int Bytes => sizeof(TreeNode) + (MostChildren * sizeof(TreeChild));

    /// <summary>Children. The first 4 bytes of a leaf are its elements.</summary>
    public int Count;

    public static TreeChild* Children(byte* node) => (TreeChild*)((TreeNode*)node + 1);

    public static ref int CountOf(byte* node) => ref *(int*)node;

    public static void Insert(byte* node, int slot, TreeChild child)
    {
        TreeChild* children = Children(node);
        int after = CountOf(node)++ - slot;
        Buffer.MemoryCopy(children + slot, children + slot + 1, after * sizeof(TreeChild), after * sizeof(TreeChild));
        children[slot] = child;
    }

    public static void Remove(byte* node, int slot)
    {
        TreeChild* children = Children(node);
        int after = --CountOf(node) - slot;
        Buffer.MemoryCopy(children + slot + 1, children + slot, after * sizeof(TreeChild), after * sizeof(TreeChild));
    }

    public static long Items(byte* node)
    {
        long items = 0;
        for (int i = 0; i < CountOf(node); i++)
        {
            items += Children(node)[i].Items;
        }

        return items;
    }
}
