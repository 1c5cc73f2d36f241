using System.Runtime.InteropServices;

namespace Larder.Store.Collections;

/// <summary>
/// An inner node of a tree. It contains the children in order. For each child, it stores the number of elements and, in a sorted set, the first element.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = 8)]
internal unsafe struct TreeNode
{
    /// <summary>The maximum number of children. On average, a search by index adds the counts of half of the children, which are in 512 bytes.</summary>
    public const int MaxChildren = 32;

    /// <summary>A node with fewer children than this is merged with a neighbour if the merged node is at most three quarters full.</summary>
    public const int FewChildren = MaxChildren / 4;

    /// <summary>The number of bytes of a node.</summary>
    public static int Bytes => sizeof(TreeNode) + (MaxChildren * sizeof(TreeChild));

    /// <summary>The number of children. A leaf stores its element count in the same place.</summary>
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
