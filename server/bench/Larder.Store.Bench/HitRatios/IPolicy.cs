namespace Larder.Store.Bench;

/// <summary>An eviction policy for a fixed number of objects of equal size. Only its hits are observed.</summary>
internal interface IPolicy
{
    /// <summary>Requests an object and adds the object if it is missing.</summary>
    /// <returns>True for a hit.</returns>
    bool Request(int key);
}
