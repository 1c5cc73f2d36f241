namespace Larder.Store.Collections;

/// <summary>What an inner node knows of a child.</summary>
internal unsafe struct TreeChild
{
    public byte* Node;

    /// <summary>Elements under it.</summary>
    public long Items;

    /// <summary>Of a sorted set, the first element under it.</summary>
    public ScoredRecord First;
}
