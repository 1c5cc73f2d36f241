namespace Larder.Store.Collections;

/// <summary>Checks that a collection's blocks match its accounts.</summary>
internal static unsafe class CollectionValidation
{
    /// <summary>Throws if a block does not match the accounts.</summary>
    public static void AssertValid(CollectionRoot* root, ulong seed)
    {
        Invariant.Holds(root->Latch == 0 && !root->IsGone && root->Count > 0, "a collection at rest has elements, and no latch");
        long charged = BlockHeap.SizeOf((byte*)root);
        if (root->Type != ItemType.List)
        {
            charged += root->IsPacked ? AssertPacked(root) : HashIndex.AssertValid(root, seed);
        }

        if (root->Tree != null)
        {
            long payload = 0;
            long items = AssertNode(root, root->Tree, root->Height, ref charged, ref payload, out _);
            Invariant.Holds(items == root->Count, "a tree holds every element");
            Invariant.Holds(root->Type != ItemType.List || payload == root->PayloadBytes, "a list's accounts match its elements");
        }

        Invariant.Holds(charged == root->ChargedBytes, "a collection is charged for its blocks");
    }

    private static long AssertPacked(CollectionRoot* root)
    {
        long count = 0;
        long payload = 0;
        KeyedElement before = default;
        byte* end = root->Data + root->UsedBytes;
        byte* at = root->Data;
        for (; at < end; count++)
        {
            KeyedElement element = PackedElements.Read(at);
            payload += element.PayloadBytes;
            bool isAfter = count == 0 || root->Type != ItemType.SortedSet || before.Score < element.Score
                || (before.Score == element.Score && before.Key.SequenceCompareTo(element.Key) < 0);
            Invariant.Holds(isAfter, "packed elements stand in order");
            Invariant.Holds(PackedElements.TryFind(root, element.Key, out KeyedElement found) && found.At == at, "an element is there once");
            before = element;
            at = element.End;
        }

        Invariant.Holds(at == end && count == root->Count && payload == root->PayloadBytes, "a collection's accounts match its packed elements");
        return BlockHeap.SizeOf(root->Data);
    }

    private static long AssertNode(CollectionRoot* root, byte* node, int height, ref long charged, ref long payload, out ScoredRecord first)
    {
        charged += BlockHeap.SizeOf(node);
        if (height == 0)
        {
            return root->Type == ItemType.List ? AssertListLeaf((ListLeaf*)node, ref payload, out first) : AssertOrderLeaf(node, out first);
        }

        long items = 0;
        first = TreeNode.Children(node)[0].First;
        for (int i = 0; i < TreeNode.CountOf(node); i++)
        {
            TreeChild child = TreeNode.Children(node)[i];
            long under = AssertNode(root, child.Node, height - 1, ref charged, ref payload, out ScoredRecord firstUnder);
            Invariant.Holds(under == child.Items && under > 0, "a node counts what is under it");
            bool isFirst = child.First.Record == firstUnder.Record && child.First.Score.Equals(firstUnder.Score);
            Invariant.Holds(root->Type == ItemType.List || isFirst, "a node knows the first element of each child");
            items += under;
        }

        return items;
    }

    private static long AssertOrderLeaf(byte* leaf, out ScoredRecord first)
    {
        ScoredRecord* items = OrderTree.Items(leaf);
        first = items[0];
        for (int i = 0; i < OrderTree.CountOf(leaf); i++)
        {
            KeyedElement element = HashIndex.Element(items[i].Record);
            Invariant.Holds(element.Score.Equals(items[i].Score), "a leaf knows an element's score");
            Invariant.Holds(i == 0 || items[i - 1].CompareTo(items[i].Score, element.Key) < 0, "elements stand in order");
        }

        return OrderTree.CountOf(leaf);
    }

    private static long AssertListLeaf(ListLeaf* leaf, ref long payload, out ScoredRecord first)
    {
        first = default;
        byte* at = ListLeaf.At(leaf, leaf->Start);
        for (int i = 0; i < leaf->Count; i++)
        {
            byte* begin = at;
            ReadOnlySpan<byte> element = ListLeaf.Read(ref at);
            byte* back = at;
            Invariant.Holds(ListLeaf.ReadBack(ref back).Length == element.Length && back == begin, "an element is read from both ends");
            payload += element.Length;
        }

        Invariant.Holds(at == ListLeaf.At(leaf, leaf->End) && leaf->End <= leaf->Capacity, "elements fill their leaf without gaps");
        return leaf->Count;
    }
}
