namespace Larder.Store.Collections;

/// <summary>
/// Nodes and leaves that a call has removed from a sorted set's tree. They are kept for reuse until the call ends. An element that is added at the end of the
/// tree may need one node per level, and its removal frees these nodes. Without the reuse, a request that adds and removes such an element repeatedly could
/// need any number of blocks.
/// </summary>
internal static unsafe class SpareNodes
{
    // The maximum number of kept nodes and leaves. It is larger than the number that the removal of one element can free: a leaf and the nodes of a path.
    private const int Most = 16;

    /// <summary>Returns a node or leaf of <see cref="TreeNode.Bytes"/> bytes. Its content is undefined.</summary>
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

    /// <summary>Keeps a node or leaf for reuse, or frees it if enough nodes are kept.</summary>
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

    /// <summary>Frees the kept nodes at the end of a call.</summary>
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
