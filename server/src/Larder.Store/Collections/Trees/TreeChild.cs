namespace Larder.Store.Collections;

/// <summary>An inner node's entry for a child.</summary>
internal unsafe struct TreeChild
{
    public byte* Node;

    /// <summary>The number of elements under the child.</summary>
    public long Items;

    /// <summary>For sorted sets: the first element under the child.</summary>
    public ScoredRecord First;
}
