namespace Larder.Store.Collections;

/// <summary>Computes the maximum memory that a call may need, before the call changes anything.</summary>
internal static unsafe class CollectionNeed
{
    /// <summary>Returns the memory for blocks that the call may need.</summary>
    /// <param name="root">The collection, or null if the call creates it.</param>
    /// <param name="call">The call.</param>
    public static BlockNeed Of(CollectionRoot* root, in CollectionCall call)
    {
        BlockNeed own = root == null ? BlockNeed.Of(1, BlockHeap.SizeOf(sizeof(CollectionRoot))) : default;
        return own + (call.Type == ItemType.List
            ? ListElements.NeedFor(root, call.Pushed)
            : KeyedElements.NeedFor(root, call.Type, call.Elements, call.Bytes, call.LargestBytes));
    }
}
