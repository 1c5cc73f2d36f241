namespace Larder.Store.Collections;

/// <summary>
/// Nodes and leaves that a call has taken out of a sorted set's tree, kept for it until it ends: an element that comes to the tree's end may need one of each
/// level, and frees them when it leaves. Without these a request could take any number of blocks by turns.
/// </summary>
internal static unsafe class SpareNodes
{
    // More than one element takes out: a leaf and the nodes of a path.
    private const int Most = 16;

    /// <summary>A node or leaf, of <see cref="TreeNode.Bytes"/>; its content is undefined.</summary>
    public static byte* Take(CollectionRoot* root, BlockHeap heap)
    {
        byte** spare = root->Type == ItemType.SortedSet ? HashIndex.SpareNode(root) : null;
        if (spare == null || *spare == null)
        {
            return CollectionRoot.Allocate(root, heap, TreeNode.Bytes);
        }

        byte* node = *spare;
        *spare = ((Link*)node)->Next;
        return node;
    }

    /// <summary>Keeps a node or leaf, or frees it where enough are kept.</summary>
    public static void Give(CollectionRoot* root, BlockHeap heap, byte* node)
    {
        byte** spare = root->Type == ItemType.SortedSet ? HashIndex.SpareNode(root) : null;
        int kept = spare == null || *spare == null ? 0 : ((Link*)*spare)->Kept;
        if (spare == null || kept == Most)
        {
            CollectionRoot.Free(root, heap, node);
            return;
        }

        *(Link*)node = new Link { Next = *spare, Kept = kept + 1 };
        *spare = node;
    }

    /// <summary>Frees what is kept, when a call ends.</summary>
    public static void Free(CollectionRoot* root, BlockHeap heap)
    {
        if (root->Type != ItemType.SortedSet || root->IsPacked)
        {
            return;
        }

        byte** spare = HashIndex.SpareNode(root);
        while (*spare != null)
        {
            byte* node = *spare;
            *spare = ((Link*)node)->Next;
            CollectionRoot.Free(root, heap, node);
        }
    }

    private struct Link
    {
        public byte* Next;
        public int Kept;
    }
}
